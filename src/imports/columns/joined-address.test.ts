import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { joined } from '../cells/joined-addresses.ts'

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

  it('has the house number behind the street, and the street behind the postcode of a town', () => {
    assert.equal(joined(['4020', 'Linz', 'Landstr.', '7/2']), '4020 Linz, Landstr. 7/2')
    assert.equal(joined(['Augsburg', '86150', 'Beispielweg 99']), 'Augsburg, 86150, Beispielweg 99')
    assert.equal(joined(['12 Main St', 'Austin', 'TX', '78701']), '12 Main St, Austin, TX, 78701')
    assert.equal(joined(['Rue Haute 3', '75012', 'Paris 12']), 'Rue Haute 3, 75012 Paris 12')
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
        (heading) =>
          `More than one column would be notes. Which is the column "${heading}"? Leave the others out, or join them in the spreadsheet.`,
      ),
    )
  })
})

describe('an address in several columns, of which some cells are blank', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })
  const stored = 'Hauptstr. 1, 24103, Kiel'
  let students = 0

  /** Plans a row of these cells, for a student and a guardian with this address. @returns what it says of each address */
  async function planned(
    address: string | null,
    row: string,
    { headings = 'Straße;PLZ;Ort', clear = '' } = {},
  ) {
    const number = `b-${++students}`
    const guardians = [{ name: 'Eva', address }]
    const child = { admission_number: number, name: `Ki B${students}`, class_id: 1, address, guardians }
    assert.equal((await school.post('/api/students', child, registrar)).status, 201)
    const own = headings.split(';')
    const all = [...own, ...own.map((one) => `${one} Mutter`)]
    const file = `Schülernummer;guardian_1_name;${all.join(';')}\n${number};Eva;${row};${row}\n`
    const asked = await importer.read(await importer.send(file, '?mode=update'))
    const columns = all.map((one, i) => [`column.${one}`, i < own.length ? 'address' : 'guardian_1_address'])
    const answered = await importer.continued(asked, { answers: Object.fromEntries(columns) })
    const { id, state } = clear === '' ? answered : await importer.continued(answered, { answers: { clear } })
    assert.equal(state, 'planned')
    const [{ cells }] = await importer.rows(id)
    return cells.map(({ column, to = null, code }: { column: string; to?: string | null; code?: string }) => [
      column,
      code ?? to,
    ])
  }
  const both = (to: string | null) => [
    ['address', to],
    ['guardian_1_address', to],
  ]

  it('stays as it is where the others stand there', async () => {
    for (const row of [';24103;Kiel', ';;KIEL', 'Hauptstr. 1;;'])
      assert.deepEqual(await planned(stored, row), [], row)
  })

  it('is refused where they do not, and something would be lost', async () => {
    for (const row of [';24105;Kiel', ';;Bonn', 'Weg 2;;Kiel'])
      assert.deepEqual(await planned(stored, row), both('incomplete_address'), row)
    assert.deepEqual(await planned('Weg 1', ';24103;Kiel'), both('incomplete_address'))
  })

  it('is given where nothing stands there that would be lost', async () => {
    assert.deepEqual(await planned(null, ';24103;Kiel'), both('24103 Kiel'))
    assert.deepEqual(await planned('Kiel', ';24103;Kiel'), both('24103 Kiel'))
    assert.deepEqual(await planned(stored, 'Weg 2;24103;Kiel'), both('Weg 2, 24103 Kiel'))
  })

  it('is given where only that is blank which few addresses have', async () => {
    const headings = 'Straße und Hausnummer;Adresszusatz;PLZ;Ort'
    assert.deepEqual(await planned(stored, 'Weg 2;;24103;Kiel', { headings }), both('Weg 2, 24103 Kiel'))
    assert.deepEqual(await planned(stored, 'Hauptstr. 1;;24103;Kiel', { headings }), [])
    assert.deepEqual(await planned(stored, ';;24105;Kiel', { headings }), both('incomplete_address'))
  })

  it('is cleared by the mark only where no part is given', async () => {
    assert.deepEqual(await planned(stored, '-;24103;-', { clear: '-' }), [])
    assert.deepEqual(await planned(stored, '-;24105;-', { clear: '-' }), both('incomplete_address'))
    assert.deepEqual(await planned(stored, '-;-;-', { clear: '-' }), both(null))
    assert.deepEqual(await planned(stored, '-;;', { clear: '-' }), both(null))
  })

  it('is refused where a part holds an error of the spreadsheet', async () => {
    assert.deepEqual(await planned(stored, 'Weg 2;24103;#REF!'), both('cell_error'))
  })
})
