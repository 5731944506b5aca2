import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool } from '../../test/school.ts'

describe('a file with the names of guardians, and a phone whose heading names nobody', () => {
  let importer: Importer
  before(async () => {
    const school = await openSchool()
    importer = new Importer(school, await school.person('registrar'))
  })

  /** Takes what is proposed. @returns the plan, and what it was asked */
  async function proposed(...lines: string[]) {
    const asked: string[] = []
    const planned = await importer.asProposed(lines.join('\n'), asked)
    const rows = await importer.rows(planned.id)
    const guardians = rows.map(({ cells }) =>
      cells
        .filter(({ column }: { column: string }) => column.startsWith('guardian_'))
        .map(({ column, to }: { column: string; to: string }) => `${column.slice('guardian_'.length)} ${to}`),
    )
    return { asked, guardians }
  }

  it('gives it to the first of them whom the row names, and makes nobody of it', async () => {
    const { asked, guardians } = await proposed(
      'Schülernummer;Name;Klasse;Mutter;Vater;Telefon',
      'A1;Ida Holm;Class 1;Eva Holm;Per Holm;0171 1',
      'A2;Bo Nord;Class 1;;Per Nord;0171 2',
    )
    assert.deepEqual(asked, ['column.Telefon=guardian_1_phone'])
    assert.deepEqual(guardians, [
      ['1_name Eva Holm', '1_phone 0171 1', '1_relation Mutter', '2_name Per Holm', '2_relation Vater'],
      ['1_name Per Nord', '1_phone 0171 2', '1_relation Vater'],
    ])
  })

  it('does not call the owner mother or father where the row names nobody', async () => {
    const { asked, guardians } = await proposed(
      'Schülernummer;Name;Klasse;Mutter;Vater;Telefon',
      'B1;Ida Holm;Class 1;;;0171 1',
    )
    assert.deepEqual(asked, ['column.Telefon=guardian_1_phone', 'guardian_name=Guardian'])
    assert.deepEqual(guardians, [['1_name Guardian', '1_phone 0171 1']])
  })

  it('proposes each to the guardian before it, where a heading is there for each', async () => {
    const { asked, guardians } = await proposed(
      'Matricule;Nom complet;Classe;Mère;Téléphone;E-mail;Père;Téléphone;E-mail',
      'C1;Ida Holm;Class 1;Eva Holm;06 1;eva@holm.example;Per Holm;06 2;per@holm.example',
    )
    assert.deepEqual(asked, [
      'column.Téléphone=guardian_1_phone',
      'column.E-mail=guardian_1_email',
      'column.Téléphone (2)=guardian_2_phone',
      'column.E-mail (2)=guardian_2_email',
    ])
    assert.deepEqual(guardians[0]?.toSorted(), [
      ...['1_email eva@holm.example', '1_name Eva Holm', '1_phone 06 1', '1_relation mère'],
      ...['2_email per@holm.example', '2_name Per Holm', '2_phone 06 2', '2_relation père'],
    ])
  })
})
