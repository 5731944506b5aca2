import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

describe('guardians in a file', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const jorg = { name: 'Jörg Nord', relation: 'father', phone: '030 1' }
  const anna = { name: 'Anna Nord', relation: 'mother', phone: '030 2' }
  const jo = { name: 'Jo Nord', phone: '030 3' }
  let students = 0

  /** Plans a file of one row, for a student with these guardians. @returns the row of the plan */
  async function planned(guardians: object[], columns: Readonly<Record<string, string>>) {
    const number = `guarded-${++students}`
    const given = { admission_number: number, name: `Ki Nd${students}`, guardians }
    const id = await school.student(registrar, given)
    const header = ['admission_number', ...Object.keys(columns)].join()
    const file = await importer.send(
      `${header}\n${[number, ...Object.values(columns)].join()}\n`,
      '?mode=update',
    )
    const asked = await importer.read(file)
    const shown = asked.questions.some(({ key }: { key: string }) => key === 'clear')
      ? await importer.continued(asked, { answers: { clear: '-' } })
      : asked
    const [row] = await importer.rows(shown.id)
    return { ...shown, row, student: id, cells: cellsOf(row) }
  }

  const cellsOf = ({ cells }: { cells: { column: string; from?: string; to?: string; code?: string }[] }) =>
    cells.map(({ column, from = null, to = null, code }) => [column, ...(code ? [code] : [from, to])])

  it('are the same people in any order', async () => {
    const { row } = await planned([jorg, anna], {
      ...{ guardian_1_name: 'ANNA Nord', guardian_1_phone: '030 2' },
      ...{ guardian_2_name: 'Jörg Nord', guardian_2_phone: '030 1', guardian_2_relation: 'father' },
    })
    const name = { column: 'guardian_2_name', from: 'Anna Nord', to: 'ANNA Nord' }
    assert.deepEqual([row.outcome, row.cells], ['change', [name]])
    const same = await planned([jorg, anna], {
      ...{ guardian_1_name: 'Anna Nord', guardian_1_phone: '030 2', guardian_2_name: 'Jörg Nord' },
    })
    assert.deepEqual([same.row.outcome, same.cells], ['unchanged', []])
  })

  it("get what is theirs: a mother's phone never becomes the father's", async () => {
    const columns = { "Mother's phone": '030 9', "Father's phone": '030 1' }
    const swapped = await planned([jorg, anna], columns)
    assert.deepEqual(swapped.cells, [['guardian_2_phone', '030 2', '030 9']])
    const byName = await planned([jorg, anna], { guardian_1_name: 'Anna Nord', guardian_1_phone: '030 9' })
    assert.deepEqual(byName.cells, [['guardian_2_phone', '030 2', '030 9']])
    await importer.applied(byName)
    const { data } = (await school.get(`/api/students/${byName.student}`, registrar)).body
    assert.deepEqual(
      data.guardians.map(({ name, phone }: { name: string; phone: string }) => [name, phone]),
      [
        ['Jörg Nord', '030 1'],
        ['Anna Nord', '030 9'],
      ],
    )
  })

  it('who are not there are new ones, behind the others', async () => {
    const named = await planned([jorg], { "Mother's name": 'Eva Nord', "Mother's phone": '030 9' })
    assert.deepEqual(named.cells, [
      ['guardian_2_name', null, 'Eva Nord'],
      ['guardian_2_phone', null, '030 9'],
      ['guardian_2_relation', null, 'mother'],
    ])
    const nameless = await planned([jorg], { "Mother's phone": '030 9' })
    assert.deepEqual([nameless.row.outcome, nameless.cells], ['refused', [['guardian_1_name', 'required']]])
  })

  it('are as before where the file names them by their number, and the new name is shown', async () => {
    const { cells } = await planned([jorg, anna], { guardian_1_name: 'Jörg Nord-Ost' })
    assert.deepEqual(cells, [['guardian_1_name', 'Jörg Nord', 'Jörg Nord-Ost']])
  })

  const eva = { ...anna, name: 'Eva Süd', email: 'eva@x.de', address: 'Weg 1', note: 'Calls at night' }

  it('never get what is of the other parent, where both have one surname', async () => {
    const tom = await planned([eva], { guardian_1_name: 'Tom Süd' })
    assert.deepEqual([tom.row.outcome, tom.cells], ['change', [['guardian_2_name', null, 'Tom Süd']]])
    await importer.applied(tom)
    const { data } = (await school.get(`/api/students/${tom.student}`, registrar)).body
    const nothing = { relation: null, phone: null, email: null, address: null, note: null }
    assert.deepEqual(data.guardians, [eva, { ...nothing, name: 'Tom Süd' }])

    const titled = await planned([{ name: 'Frau Süd', phone: '030 3' }], { guardian_1_name: 'Herr Süd' })
    assert.deepEqual(titled.cells, [['guardian_2_name', null, 'Herr Süd']])
    const both = await planned([eva, { name: 'Tom Süd', phone: '030 5' }], { guardian_1_name: 'Jan Süd' })
    assert.deepEqual(both.cells, [['guardian_3_name', null, 'Jan Süd']])
    const shared = await planned([eva], { guardian_1_name: 'Tom Süd', guardian_1_phone: '030 2' })
    assert.deepEqual(shared.cells, [
      ['guardian_2_name', null, 'Tom Süd'],
      ['guardian_2_phone', null, '030 2'],
    ])
  })

  it('are the same with a corrected, longer or married name', async () => {
    for (const to of ['Eeva Süd', 'Dr. Eva Maria Süd', 'Frau Süd', 'Eva West']) {
      const { cells } = await planned([eva], { guardian_1_name: to })
      assert.deepEqual(cells, [['guardian_1_name', 'Eva Süd', to]])
    }
    const unsure = await planned([eva, { name: 'Tom Süd' }], { guardian_1_name: 'Süd' })
    assert.deepEqual(unsure.cells, [['guardian_1_name', 'unsure_guardian']])
  })

  it('who may be one of several are refused, and told by the column of the file', async () => {
    const eva = { ...anna, name: 'Eva Nord', phone: '030 4' }
    const either = await planned([anna, eva], { "Mother's phone": '030 9' })
    assert.deepEqual(
      [either.row.outcome, either.cells],
      ['refused', [['guardian_1_name', 'unsure_guardian']]],
    )
    assert.match(either.row.cells[0].detail, /^may be one of several guardians/)
    const known = await planned([anna, eva], { "Mother's phone": '030 4' })
    assert.equal(known.row.outcome, 'unchanged')
    const unknown = await planned([jo, { ...jo, name: 'Al Nord' }], { "Mother's phone": '030 9' })
    assert.equal(unknown.row.outcome, 'refused')
    const only = await planned([jo], { "Mother's phone": '030 9' })
    assert.deepEqual(only.cells, [['guardian_1_name', 'unsure_guardian']], 'it would be written over')
    const free = await planned([{ ...jo, phone: null }], { "Mother's phone": '030 9' })
    assert.deepEqual(free.cells, [
      ['guardian_1_phone', null, '030 9'],
      ['guardian_1_relation', null, 'mother'],
    ])
  })

  it('are cleared where they are meant alone', async () => {
    const nobody = await planned([jorg], { "Mother's phone": '-' })
    assert.equal(nobody.row.outcome, 'unchanged')
    const one = await planned([jorg, anna], { "Mother's phone": '-' })
    assert.deepEqual(one.cells, [['guardian_2_phone', '030 2', null]])
    const moved = await planned([jorg, anna], {
      ...{ guardian_1_name: '-', guardian_1_phone: '-', guardian_1_relation: '-' },
      guardian_2_name: 'Jörg Nord',
    })
    assert.deepEqual([moved.row.outcome, moved.cells], ['refused', [['guardian_1_name', 'unsure_guardian']]])
  })
})

describe('guardians whose names a file lacks', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const header = 'Nachname;Vorname;Schülernummer;Klasse;Telefon Mutter'
  const answers = { name_order: 'given_first', guardian_name: 'relation' }
  const born = async (id: number) => (await school.get(`/api/students/${id}`, registrar)).body.data

  async function asked(lines: readonly string[], query = '') {
    const shown = await importer.read(await importer.send([header, ...lines, ''].join('\n'), query))
    const required = shown.questions.filter((question: { required: boolean }) => question.required)
    return Object.assign(shown, { keys: required.map(({ key }: { key: string }) => key) })
  }

  it('are asked about, and are called what the heading says; the same file changes nothing then', async () => {
    const rows = ['Süd;Ada;u-1;Class 1;030 1', 'Süd;Bo;u-2;Class 1;']
    const file = await asked(rows)
    assert.deepEqual([file.state, file.keys], ['question', ['name_order', 'guardian_name']])
    const planned = await importer.continued(file, { answers })
    assert.deepEqual([planned.state, planned.counts.create], ['planned', 2])
    const [row] = await importer.rows(planned.id)
    const ofGuardian = row.cells.filter(({ column }: { column: string }) => column.startsWith('guardian'))
    assert.deepEqual(
      ofGuardian.map(({ column, to }: { column: string; to: string }) => [column, to]),
      [
        ['guardian_1_name', 'Mutter'],
        ['guardian_1_phone', '030 1'],
        ['guardian_1_relation', 'Mutter'],
      ],
    )
    await importer.applied(planned)
    const { body } = await school.get('/api/students?search=S%C3%BCd&sort=name', registrar)
    const [ada, bo] = body.data
    const [mother] = (await born(ada.id)).guardians
    assert.deepEqual([mother.name, mother.relation, mother.phone], ['Mutter', 'Mutter', '030 1'])
    assert.equal((await born(bo.id)).guardians, null)

    const again = await asked([...rows, ''])
    assert.deepEqual([again.state, again.counts.unchanged, again.answers], ['planned', 2, answers])
    const mirrored = await importer.continued(await asked(rows, '?mode=mirror'), { answers: {} })
    assert.equal(mirrored.counts.unchanged, 2)
  })

  it('keep the name that stands in the record, and get what is theirs', async () => {
    const eva = { name: 'Eva Süd', relation: 'mother', phone: '030 2' }
    const jo = { name: 'Jo Süd', phone: '030 3' }
    const al = { name: 'Al Süd', phone: '030 4' }
    const tom = { name: 'Tom Süd', relation: 'father', phone: '030 5' }
    const all = [[eva], [jo, al], [jo], [tom], [jo, al]]
    const ids: number[] = []
    for (const [i, guardians] of all.entries()) {
      const parts = { given_name: `Ki${i}`, family_name: 'Kept', guardians }
      ids.push(await school.student(registrar, { admission_number: `k-${i}`, class_id: 1, ...parts }))
    }
    const phones = ['030 2', '030 4', '030 9', '030 5', '030 9']
    const file = await asked(phones.map((phone, i) => `Kept;Ki${i};k-${i};Class 1;${phone}`))
    const planned = file.state === 'planned' ? file : await importer.continued(file, { answers })
    const outcomes = (await importer.rows(planned.id)).map(({ outcome }: { outcome: string }) => outcome)
    assert.deepEqual(outcomes, ['unchanged', 'change', 'change', 'change', 'refused'])
    await importer.applied(planned, { refused: 'skip' })
    const after: string[][] = []
    for (const id of ids)
      after.push((await born(id)).guardians.map((one: typeof eva) => `${one.name} ${one.phone}`))
    assert.deepEqual(after, [
      ['Eva Süd 030 2'],
      ['Jo Süd 030 3', 'Al Süd 030 4'],
      ['Jo Süd 030 3', 'Mutter 030 9'],
      ['Tom Süd 030 5', 'Mutter 030 5'],
      ['Jo Süd 030 3', 'Al Süd 030 4'],
    ])
  })

  it('are left out, or are no question where nobody is created; another answer is refused', async () => {
    await school.student(registrar, { admission_number: 'l-1', name: 'Ki Left', class_id: 1 })
    const lines = 'Klasse;Schülernummer;Phone of guardian\nClass 1;l-1;030 1\n'
    const file = await importer.read(await importer.send(lines))
    const { status, body } = await importer.patch(file, { answers: { guardian_name: 'x'.repeat(256) } })
    assert.equal(status, 422)
    assert.deepEqual(body.errors, [
      {
        pointer: '/answers/guardian_name',
        code: 'too_long',
        detail: 'must be relation, leave_out, or a name: it must have at most 255 characters',
        params: { limit: 255 },
      },
    ])
    const left = await importer.continued(file, { answers: { guardian_name: 'leave_out' } })
    assert.deepEqual([left.state, left.counts.unchanged], ['planned', 1])
    const named = await importer.continued(left, { answers: { guardian_name: 'Parent' } })
    const [row] = await importer.rows(named.id)
    assert.deepEqual(row.cells[0], { column: 'guardian_1_name', from: null, to: 'Parent' })
    const update = await importer.planned(lines, '?mode=update')
    assert.equal(update.counts.refused, 1)
  })

  it('are asked about where the name’s cell is empty, with the number of rows; known ones keep their names', async () => {
    const columns = 'Klasse;Schülernummer;Vorname;Nachname;Name;Mutter;Telefon Mutter;Vater;Telefon Vater'
    const eva = { name: 'Eva Leer', relation: 'mother', phone: '030 1' }
    const known = { admission_number: 'e-1', name: 'Ki Eins', class_id: 1, guardians: [eva] }
    const id = await school.student(registrar, known)
    const lines = [
      'Class 1;e-1;Ki;Eins;Ki Eins;;030 9;;',
      'Class 1;e-2;Ki;Zwei;Ki Zwei;Uta Leer;030 2;;030 3',
      'Class 1;e-3;Ki;Drei;Ki Drei;Ute Leer;;;',
    ]
    const sent = await importer.read(await importer.send([columns, ...lines, ''].join('\n')))
    const [question, ...others] = sent.questions.filter((one: { required: boolean }) => one.required)
    assert.deepEqual([sent.state, question.key, question.rows, others], ['question', 'guardian_name', 2, []])
    assert.match(question.text, /^In 2 rows a guardian has no name \("Telefon Mutter", "Telefon Vater"\)\. /)
    const { samples } = question.choices[0]
    assert.deepEqual(samples, ['Mutter', 'Vater'])

    const left = await importer.continued(sent, { answers: { guardian_name: 'leave_out' } })
    assert.deepEqual([left.counts.create, left.counts.change, left.counts.refused], [2, 1, 0])
    const [, second] = await importer.rows(left.id)
    const columnsOf = ({ cells }: { cells: { column: string }[] }) => cells.map(({ column }) => column)
    const ofGuardians = columnsOf(second).filter((column) => column.startsWith('guardian'))
    assert.deepEqual(ofGuardians, ['guardian_1_name', 'guardian_1_phone', 'guardian_1_relation'])

    const planned = await importer.continued(left, { answers: { guardian_name: 'relation' } })
    await importer.applied(planned)
    const named = (guardians: (typeof eva)[]) => guardians.map(({ name, phone }) => `${name} ${phone}`)
    assert.deepEqual(named((await born(id)).guardians), ['Eva Leer 030 9'])
    const { body } = await school.get('/api/students?search=Zwei', registrar)
    const made = await born(body.data[0].id)
    assert.deepEqual(named(made.guardians), ['Uta Leer 030 2', 'Vater 030 3'])
    const again = await importer.planned([columns, ...lines, '', ''].join('\n'))
    assert.equal(again.counts.unchanged, 3)
  })

  it('whom nobody is to be made of get what is theirs where they are there', async () => {
    const eva = { name: 'Eva Ist', relation: 'mother', phone: '030 1' }
    const known = { admission_number: 'i-1', name: 'Ki Ist', class_id: 1, guardians: [eva] }
    await school.student(registrar, known)
    await school.student(registrar, { admission_number: 'i-2', name: 'Ki Neu', class_id: 1 })
    const file = await importer.read(
      await importer.send("Admission number;Mother's phone\ni-1;030 5\ni-2;030 6\n"),
    )
    const planned = await importer.continued(file, {
      answers: { guardian_name: 'leave_out', class_id: 'none' },
    })
    const rows = await importer.rows(planned.id)
    assert.deepEqual(
      rows.map(({ outcome, cells }: { outcome: string; cells: object[] }) => [outcome, cells]),
      [
        ['change', [{ column: 'guardian_1_phone', from: '030 1', to: '030 5' }]],
        ['unchanged', []],
      ],
    )
  })
})
