import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('an address in several columns', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })
  const file = (...lines: string[]) =>
    `name;admission_number;class;Straße;PLZ;Ort\n${lines.map((line) => `${line}\n`).join('')}`

  it('is proposed for each, joined in the order of the file, and compared as a whole', async () => {
    const asked = await importer.read(await importer.send(file('Ada;j-1;Class 1;Lindenweg 4;12345;Berlin')))
    const ofColumns = asked.questions.filter(({ key }: { key: string }) => key.startsWith('column.'))
    assert.deepEqual(
      ofColumns.map(({ key, choices }: { key: string; choices: { answer: string }[] }) => [
        key,
        choices[0]!.answer,
      ]),
      ['Straße', 'PLZ', 'Ort'].map((heading) => [`column.${heading}`, 'address']),
    )
    const answers = Object.fromEntries(ofColumns.map(({ key }: { key: string }) => [key, 'address']))
    await importer.applied(await importer.continued(asked, { answers }))
    const { body } = await school.get('/api/students?search=j-1&columns=id,address', registrar)
    assert.equal(body.data[0].address, 'Lindenweg 4, 12345 Berlin')
    const again = await importer.planned(
      file('Ada;j-1;Class 1;Lindenweg 4;12345;Berlin', 'Bo;j-2;Class 1;;;Bonn'),
    )
    assert.deepEqual([again.counts.unchanged, again.counts.create], [1, 1])
  })

  it('must not be too long as a whole', async () => {
    const long = 'x'.repeat(400)
    const planned = await importer.planned(file(`Cy;j-3;Class 1;${long};12345;${long}`))
    assert.equal(planned.counts.refused, 1)
    assert.match(JSON.stringify(await importer.rows(planned.id)), /"column":"address".*too_long/)
  })

  it('is asked about again, once for all, where a text is answered twice that is not joined', async () => {
    const asked = await importer.read(
      await importer.send('name,admission_number,class,One,Two\nDi,j-4,Class 1,a,b\n'),
    )
    const next = await importer.continued(asked, {
      answers: { 'column.One': 'notes', 'column.Two': 'notes' },
    })
    assert.deepEqual(
      next.questions
        .filter(({ required }: { required: boolean }) => required)
        .map(({ text }: { text: string }) => text),
      ['One', 'Two'].map(
        (heading) => `More than one column would be notes. Which is the column "${heading}"?`,
      ),
    )
  })
})
