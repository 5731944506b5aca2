import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

let school: School
let registrar: Person
let importer: Importer
before(async () => {
  school = await openSchool()
  registrar = await school.person('registrar')
  importer = new Importer(school, registrar)
})

describe('an answer that does not hold', () => {
  before(async () => {
    const change = { as: registrar, body: { archived: true }, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', '/api/classes/9', change)).status, 200)
  })

  async function asked(file: string, as = importer, query = ''): Promise<ShownImport> {
    return as.read(await as.send(file, query))
  }

  /** What each of these answers is refused with, by its code and its sentence. */
  async function refusals(before: ShownImport, given: Record<string, unknown>, as = importer) {
    const { status, body } = await as.patch(before, { answers: given })
    assert.deepEqual([status, body.code], [422, 'validation_failed'], JSON.stringify(body))
    const keyOf = (pointer: string) => pointer.replace(/^\/answers\//, '')
    return Object.fromEntries(
      body.errors.map(({ pointer, code, detail }: { pointer: string; code: string; detail: string }) => [
        keyOf(pointer),
        `${code}: ${detail}`,
      ]),
    )
  }

  it('on the columns and the classes of a file is refused, with what would hold', async () => {
    const before = await asked('name,admission_number,class,Hs\nAda Asked,q-1,Clas 99,Oak\n')
    assert.equal(before.state, 'question')
    const said = await refusals(before, { 'column.Hs': 'hose', 'class.Clas 99': 4711 })
    assert.match(said['column.Hs'], /^invalid: must be leave_out, new_field, or one of id, name, .*SYSTEM/)
    assert.match(said['class.Clas 99'], /^unknown_class: must be the id of a class, create or leave_out; GET/)
    const other = await refusals(before, { 'column.Hs': 'new_field', 'class.Clas 99': 'make' })
    assert.match(other['class.Clas 99'], /^unknown_class/)
    const unchanged = await importer.read(before.id)
    assert.deepEqual([unchanged.state, unchanged.answers, unchanged.tag], ['question', {}, before.tag])
  })

  it('on a class is refused where the caller does not see it, as one that is not there', async () => {
    const held = ['students.import', 'students.view', 'students.create', 'classes.view'] as const
    const teacher = new Importer(school, await personHolding(school, [held, [1]]))
    const before = await asked('name,admission_number,class\nAda Hid,h-1,8b\n', teacher)
    const hidden = await refusals(before, { 'class.8b': 2 }, teacher)
    const none = await refusals(before, { 'class.8b': 4711 }, teacher)
    assert.deepEqual(hidden, none)
    const create = await refusals(before, { 'class.8b': 'create' }, teacher)
    assert.match(create['class.8b'], /^invalid: must not be create: that needs the permission classes.manage/)
    const named = await refusals(before, { 'class.8b': 'create:8c' }, teacher)
    assert.deepEqual(named, create)
    const office = new Importer(school, await school.person('administrator'))
    const theirs = await asked('name,admission_number,class\nAda Hid,h-2,8b\n', office)
    const madeOf = async (label: string) =>
      (await refusals(theirs, { 'class.8b': `create:${label}` }, office))['class.8b']
    assert.equal(await madeOf(''), 'too_short: must not be create: the label must not be empty')
    assert.equal(
      await madeOf('x'.repeat(101)),
      'too_long: must not be create: the label must have at most 100 characters',
    )
    assert.match((await madeOf('8\u200bb'))!, /^invalid_format: must not be create: the label .* U\+200B$/)
    assert.match(
      (await madeOf(' 8b'))!,
      /^invalid: must not be create: the label must have no spaces at its ends/,
    )
    assert.match(none['class.8b'], /^unknown_class: must be the id of a class, or leave_out; GET/)
    assert.equal((await teacher.continued(before, { answers: { 'class.8b': 1 } })).state, 'planned')
  })

  it('that is an id or a year is shown as the number that its choice has, also where it came as a text', async () => {
    const header = 'name,admission_number,class,date_of_birth'
    const before = await asked(`${header}\nAda Text,x-1,Clas 98,9.3.14\nBo Text,x-2,Class 1,31.3.14\n`)
    const ordered = await importer.continued(before, { answers: { 'class.Clas 98': '1' } })
    const year = String(ordered.questions[0].choices[0].answer)
    const planned = await importer.continued(ordered, { answers: { 'short_years.date_of_birth': year } })
    assert.deepEqual(planned.answers, { 'class.Clas 98': 1, 'short_years.date_of_birth': Number(year) })
  })

  it('of another type than a text or an id is refused with both', async () => {
    const before = await asked('name,admission_number,class\nAda Type,y-1,9q\n')
    const typeOf = async (answer: unknown) => (await refusals(before, { 'class.9q': answer }))['class.9q']
    assert.equal(await typeOf(1.5), 'wrong_type: must be a string or an integer or null')
    assert.equal(await typeOf(true), 'wrong_type: must be a string or an integer or null')
    assert.match(await typeOf(0), /^out_of_range: must be from 1 to \d+$/)
    assert.equal(await typeOf('x'.repeat(501)), 'too_long: must have at most 500 characters')
  })

  it('are refused at once where thousands are of a wrong type', async () => {
    const planned = await importer.planned('name,admission_number,class\nAda,many-1,Class 1\n')
    const answers = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`a${i}`, true]))
    const began = performance.now()
    const { status, body } = await importer.patch(planned, { answers })
    assert.ok(performance.now() - began < 2_000, 'each is compared with those of its own field')
    assert.deepEqual([status, body.errors.length], [422, 100])
  })

  it('on how rows match is asked for without a word on numbers where the file has none', async () => {
    const { questions } = await asked('name,class,identifiers.UPN\nAda M,Class 1,U-9\n')
    const { text, required } = questions.find(({ key }: { key: string }) => key === 'match')
    assert.ok(required)
    assert.match(text, /^The file has no column for the admission number\. By what are rows matched .*\?$/)
  })

  it('on the class of all rows and on numbers is refused', async () => {
    const before = await asked('name\nAda Lacks\n')
    assert.deepEqual(
      before.questions.map(({ key }: { key: string }) => key),
      ['class_id', 'admission_number', 'clear'],
    )
    const said = await refusals(before, { class_id: 9, admission_number: '2026-', clear: ' ' })
    assert.match(said.class_id, /^archived_class: must be the id of a class that is not archived/)
    assert.match(said.admission_number, /^invalid: .*such as 2026-\*0001; .*at most \d+ characters/)
    assert.match(said.clear, /^invalid: must be a text that can be seen/)
    const other = await refusals(before, { class_id: 'sheet', admission_number: `${'x'.repeat(200)}*1` })
    assert.deepEqual(Object.keys(other), ['class_id', 'admission_number'])
    assert.match(other.class_id, /no sheets with names/)
    assert.match((await refusals(before, { class_id: 'nobody' })).class_id, /^unknown_class/)
  })

  it('on how rows match is refused unless the file has that column', async () => {
    const before = await asked('name,admission_number,class,identifiers.UPN\nAda M,m-1,Class 1,U-1\n')
    assert.equal(before.state, 'planned')
    assert.deepEqual(await refusals(before, { match: 'identifiers.other' }), {
      match:
        'not_allowed: must be a column of the file that tells students apart: admission_number, identifiers.UPN',
    })
    const after = await importer.continued(before, { answers: { match: 'identifiers.UPN' } })
    assert.deepEqual([after.state, after.answers.match], ['planned', 'identifiers.UPN'])
  })

  it('is refused also where the question was answered before', async () => {
    const asking = await asked('given_name,family_name,admission_number,class\nAda,Order,o-1,Class 1\n')
    const before = await importer.continued(asking, { answers: { name_order: 'given_first' } })
    assert.equal(before.state, 'planned')
    assert.deepEqual(await refusals(before, { name_order: 'any' }), {
      name_order: 'not_allowed: must be one of given_first, family_first',
    })
  })
})

describe('a column whose heading is known', () => {
  it('may be left out all the same: a spreadsheet may have taken the zeros of its cells, and is warned of', async () => {
    const guardians = [{ name: 'Jo', phone: '01 71 23-45.678' }]
    const identifiers = [{ system: 'UPN', value: '007' }]
    const given = { name: 'Ada Zero', admission_number: 'z-1', class_id: 1, guardians, identifiers }
    await school.student(registrar, given)
    const header = 'name,admission_number,class,guardian_1_name,guardian_1_phone,identifiers.UPN'
    const planned = await importer.planned(`${header}\nAda Zero,z-1,Class 1,Jo,1712345678,7\n`)
    assert.deepEqual(
      planned.warnings.map(({ code, detail }: { code: string; detail: string }) => [
        code,
        detail.slice(0, 37),
      ]),
      [
        ['zeros_lost', 'In the column "identifiers.UPN", one '],
        ['zeros_lost', 'In the column "guardian_1_phone", one'],
      ],
    )
    assert.equal(planned.counts.change, 1)
    const keys = ['guardian_1_phone', 'identifiers.UPN'].map((name) => `column.${name}`)
    const answers = Object.fromEntries(keys.map((key) => [key, 'leave_out']))
    const after = await importer.continued(planned, { answers })
    assert.deepEqual([after.counts.unchanged, after.warnings], [1, []])
    const takenBack = await importer.continued(after, { answers: { [keys[0]!]: null } })
    const other = await importer.patch(takenBack, { answers: { 'column.Other': 'leave_out' } })
    const [{ code, params }] = other.body.errors
    assert.deepEqual([other.status, code], [422, 'unknown_member'])
    assert.deepEqual(params.accepted, [...new Set(params.accepted)])
  })
})

describe('a plan', () => {
  it('is applied by a request without a body, of any media type', async () => {
    const { id, tag } = await importer.planned('name,admission_number,class\nAda Empty,e-1,Class 1\n')
    const sent = { as: registrar, headers: { 'if-match': tag } }
    const withNull = {
      ...sent,
      payload: 'null',
      headers: { ...sent.headers, 'content-type': 'application/json' },
    }
    assert.equal((await school.send('POST', `/api/imports/${id}/apply`, withNull)).status, 422)
    const { status, text } = await school.send('POST', `/api/imports/${id}/apply`, sent)
    assert.equal(status, 202, text)
    assert.equal((await importer.read(id)).state, 'applied')
  })
})

describe('whoever may see students of a class, and not make them', () => {
  it('is told what is lacking, and not that there is no such class', async () => {
    await school.student(registrar, { name: 'Ada Seen', admission_number: 's-1', class_id: 1 })
    const held = ['students.import', 'students.view'] as const
    const reader = new Importer(school, await personHolding(school, [held, [1, 2]]))
    const header = 'name,admission_number,class'
    const file = `${header}\nAda Seen,s-1,Class 1\nAda Seen,s-1x,Class 1\nBo,s-2,Class 2\n`
    const planned = await reader.planned(file)
    const rows = await reader.rows(planned.id)
    assert.deepEqual(
      rows.map(({ outcome, cells }) => [outcome, ...cells.map(({ detail }: { detail: string }) => detail)]),
      [
        ['unchanged'],
        ['refused', 'needs the permission students.create for the class'],
        ['refused', 'needs the permission students.create for the class'],
      ],
    )
    const moved = await reader.planned(`${header}\nAda Seen,s-1,Class 2\n`)
    const [{ cells }] = await reader.rows(moved.id)
    assert.deepEqual(
      cells.map(({ code }: { code: string }) => code),
      ['permission_denied'],
    )
    const hidden = await reader.read(await reader.send(`${header}\nAda Seen,s-1,Class 3\n`))
    assert.equal(hidden.state, 'question')
    const [question] = hidden.questions
    assert.match(question.text, /^No class that you see is called "Class 3"/)
    const [first] = question.choices
    assert.equal(first.answer, 'leave_out', 'who cannot make classes is not led to put it into theirs')
  })
})

describe('very long headings', () => {
  it('are named by their beginning, each otherwise, so that each can be answered', async () => {
    const long = (end: string) => `${'Überschrift '.repeat(40)}${end}`
    const header = `name,admission_number,class,${long('one')},${long('two')}`
    const asking = await importer.read(await importer.send(`${header}\nAda Long,l-1,Class 1,x,y\n`))
    const keys: string[] = asking.questions.flatMap(({ key }: { key: string }) =>
      key.startsWith('column.') ? [key] : [],
    )
    assert.deepEqual([keys.length, new Set(keys).size], [2, 2])
    for (const key of keys) assert.ok([...key].length <= 300, key)
    const answers = { [keys[0]!]: 'notes', [keys[1]!]: 'leave_out' }
    const planned = await importer.continued(asking, { answers })
    assert.equal(planned.state, 'planned', JSON.stringify(planned.questions))
    const [{ cells }] = await importer.rows(planned.id)
    assert.ok(
      cells.some(({ column, to }: { column: string; to: string }) => column === 'notes' && to === 'x'),
    )
  })
})
