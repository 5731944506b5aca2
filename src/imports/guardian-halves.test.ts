import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool } from '../../test/school.ts'

describe('a file with the given and the family name of a guardian in two columns', () => {
  let importer: Importer
  before(async () => {
    const school = await openSchool()
    importer = new Importer(school, await school.person('registrar'))
  })

  /** The guardians of the one row of a file that asks nothing. */
  async function guardians(header: string, row: string) {
    const { id } = await importer.planned(`Student No;Student;Class;${header}\nG1;Ida Holm;Class 1;${row}\n`)
    const [{ cells }] = await importer.rows(id)
    return cells
      .filter(({ column }: { column: string }) => /guardian_.*_name/.test(column))
      .map(({ to }: { to: string }) => to)
  }

  it('has them joined, whichever comes first and in four languages', async () => {
    assert.deepEqual(await guardians('Nom mère;Prénom mère;Tél mère', 'MARTIN;Zoé;06 1'), ['Zoé MARTIN'])
    assert.deepEqual(await guardians('Vorname Mutter;Nachname Mutter', 'Eva;Holm'), ['Eva Holm'])
    const spanish = 'Nombre padre;Apellidos padre;Apellidos madre;Nombre madre'
    assert.deepEqual(await guardians(spanish, 'Luis;Gil Ríos;Sanz;Pia'), ['Luis Gil Ríos', 'Pia Sanz'])
    const english = 'Guardian 1 first name;Guardian 1 surname;Guardian 2 first name;Guardian 2 last name'
    assert.deepEqual(await guardians(english, 'Ann;Lee;;Lee'), ['Ann Lee', 'Lee'])
    assert.deepEqual(await guardians('Nom responsable;Prénom responsable', 'DUPONT;'), ['DUPONT'])
  })

  it('keeps the half that a row leaves blank', async () => {
    const file = (cells: string) =>
      `Student No;Student;Class;Nom mère;Prénom mère\nG2;Bo Holm;Class 1;${cells}\n`
    await importer.applied(await importer.planned(file('MARTIN;Zoé')))
    assert.equal((await importer.planned(file('MARTIN;'))).counts.unchanged, 1)
    assert.equal((await importer.planned(file(';Zoé'))).counts.unchanged, 1)
    const { id } = await importer.planned(file('DUPONT;Zoé'))
    assert.equal((await importer.rows(id))[0].cells[0].to, 'Zoé DUPONT')
  })

  it('is asked about two columns that are the same part', async () => {
    const asked = await importer.read(
      await importer.send('Student No;Student;Class;Nom mère;Mère\nG1;Ida Holm;Class 1;MARTIN;Zoé\n'),
    )
    const keys = asked.questions.map(({ key }: { key: string }) => key)
    assert.deepEqual(keys.slice(0, 2), ['column.Nom mère', 'column.Mère'])
  })
})
