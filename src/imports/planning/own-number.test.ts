import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

let school: School
let admin: Person
before(async () => {
  school = await openSchool()
  admin = await school.person('administrator')
})

it('two children whose numbers a spreadsheet made one are imported: one keeps 0042, the other is new and has 42', async () => {
  const importer = new Importer(school, admin)
  const id = await school.student(admin, { name: 'Old Child', admission_number: '0042' })
  const file = 'name,admission_number,class,address\nNew Child,42,Class 1,A\nOld Child,42,Class 1,B\n'
  const planned = await importer.planned(file)
  assert.equal(planned.counts.doubtful, 2)
  const decisions = [
    { row: 2, decision: 'new' },
    { row: 3, decision: 'same', id },
  ]
  const { counts } = await importer.continued(planned, { decisions })
  assert.deepEqual([counts.create, counts.change, counts.doubtful, counts.refused], [1, 1, 0, 0])
})

it('a number in the digits of another script is asked about, never matched, and stays as it is there', async () => {
  const importer = new Importer(school, admin)
  const id = await school.student(admin, { name: 'Old Child', admission_number: 'n-0107' })
  for (const number of ['n-0١٠٧', 'n-۱۰۷', 'n-१०७', 'n١٠٧']) {
    const {
      id: file,
      counts,
      ...planned
    } = await importer.planned(`name,admission_number,class\nNew Name,${number},Class 1\n`)
    assert.deepEqual([counts.create, counts.doubtful], [0, 1], number)
    const [row] = await importer.rows(file)
    const { code, ids, detail } = row.cells.find(({ code }: { code?: string }) => code !== undefined)
    assert.deepEqual([code, ids], ['similar_number', [id]])
    assert.equal(
      detail,
      'is the number of a student, but for zeros, hyphens and other marks, or the script of its digits',
    )
    const same = { decisions: [{ row: 2, decision: 'same', id }] }
    const settled = await importer.continued({ id: file, tag: planned.tag }, same)
    assert.equal(settled.counts.change, 1)
    const [change] = await importer.rows(file)
    assert.deepEqual(change.cells, [{ column: 'name', from: 'Old Child', to: 'New Name' }])
  }
})

it('a number as another program writes it is asked about, never matched, and stays as it is there', async () => {
  const school = await openSchool()
  const admin = await school.person('administrator')
  const importer = new Importer(school, admin)
  const [child, id] = [
    'Old Child',
    await school.student(admin, { name: 'Old Child', admission_number: '700123' }),
  ]
  const planOf = (number: string) =>
    importer.planned(`name;admission_number;class\n${child};${number};Class 7\n`)
  const alike = [
    ...['700123.0', '700123.00', '700123,0', '700123,00', '700.123,00'],
    ...["'700123", '#700123', '# 700123', '="700123"', '="0700123"'],
    ...['700.123', '700,123', '700 123', '700\u202f123', '700’123', '٧٠٠٬١٢٣'],
  ]
  for (const number of alike) {
    const planned = await planOf(number)
    assert.deepEqual([planned.counts.create, planned.counts.doubtful], [0, 1], number)
    const [row] = await importer.rows(planned.id)
    assert.deepEqual(row.cells.at(-1).ids, [id], number)
    const settled = await importer.continued(planned, { decisions: [{ row: 2, decision: 'same', id }] })
    assert.equal(settled.counts.change, 1)
    const [change] = await importer.rows(planned.id)
    assert.deepEqual(
      change.cells.map(({ column }: { column: string }) => column),
      ['class'],
    )
  }
  for (const number of ['700123.10', '700123.000', '7001.23', '70.0123', '700.12.3', '700123#', 'x700123.0'])
    assert.equal((await planOf(number)).counts.create, 1, number)
  const rows = ['New Child;800.456;Class 7', 'New Child;800456.0;Class 7']
  const twice = await importer.planned(`name;admission_number;class\n${rows.join('\n')}\n`)
  assert.equal(twice.counts.doubtful, 2)
})

it('a number may be written in another way: nobody else has it, and the plan is not out of date', async () => {
  const importer = new Importer(school, admin)
  const identifiers = [{ system: 'UPN', value: 'u-1' }]
  const student = { name: 'Old Child', admission_number: 'n-1', class_id: 1, identifiers }
  const { id } = (await school.post('/api/students', student, admin)).body.data
  const asked = await importer.planned('identifiers.UPN,admission_number\nu-1,N-1\n', '?mode=update')
  const planned = await importer.continued(asked, { answers: { match: 'identifiers.UPN' } })
  assert.deepEqual([planned.state, planned.counts.change], ['planned', 1])
  assert.equal((await importer.applied(planned)).state, 'applied')
  assert.equal((await school.get(`/api/students/${id}`, admin)).body.data.admission_number, 'N-1')
})

it('two new children with one number are refused where both are to have it, and told what to do', async () => {
  const importer = new Importer(school, admin)
  const planned = await importer.planned('name,admission_number,class\nAda,o-1,Class 1\nBo,o-1,Class 2\n')
  const [doubtful] = await importer.rows(planned.id, '&outcome=doubtful')
  assert.equal(doubtful.cells.at(-1).detail, 'stands in row 3 too')
  const decisions = [2, 3].map((row) => ({ row, decision: 'new' }))
  const { id, counts } = await importer.continued(planned, { decisions })
  assert.deepEqual([counts.create, counts.refused], [0, 2])
  const [row] = await importer.rows(id, '&decided=true')
  assert.deepEqual([row.outcome, row.decision], ['refused', 'new'])
  assert.deepEqual(row.cells.at(-1), {
    ...{ column: 'admission_number', code: 'duplicate', params: { row: 3 } },
    detail:
      'stands in row 3 too, and only one row can have the number: correct it in the file, and send the file again',
  })
  const said = {
    en: 'It stands in row 3 of the sent file too. Only one row can have it. Correct it in the file, or take one row out',
    de: 'Nur eine Zeile kann das haben. Berichtigen Sie es in der Datei, oder nehmen Sie eine Zeile heraus',
    ar: 'لا يكون هذا إلا في سطر واحد. صحّحه في الملف أو احذف أحد السطرين',
  }
  for (const [language, sentence] of Object.entries(said)) {
    const { text } = await importer.refused(id, `?language=${language}`)
    assert.ok(text.includes(sentence), text)
  }
  const one = { decisions: [{ row: 3, decision: 'leave_out' }] }
  // A row that is decided on is left out though it is refused.
  const settled = await importer.continued(await importer.read(id), one)
  assert.deepEqual([settled.counts.create, settled.counts.left_out], [1, 1])
})
