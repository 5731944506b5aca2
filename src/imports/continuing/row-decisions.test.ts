import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { inline, sheetOf, writtenWorkbook } from '../../../test/workbooks.ts'

const header = 'name,admission_number,class'

describe('a decision on a row', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  let known: number
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
    known = await school.student(registrar, { name: 'Ada Known', admission_number: '0042', class_id: 1 })
  })

  /** What decisions are refused with. */
  async function refusals(before: ShownImport, decisions: object[], as = importer) {
    const { status, body } = await as.patch(before, { decisions })
    assert.deepEqual([status, body.code], [422, 'validation_failed'], JSON.stringify(body))
    return body.errors.map(({ pointer, code, detail }: Record<string, string>) => [pointer, code, detail])
  }

  it('is of a student whom the caller sees: one who is not there is as one whom they do not see', async () => {
    const file = `${header}\nAda Knows,42,Class 1\nBo New,0-0-4-2,Class 1\n`
    const planned = await importer.planned(file)
    const unknown = [['/decisions/1/id', 'unknown_student', 'must be the id of a student']]
    const same = (row: number, id: number) => ({ row, decision: 'same', id })
    assert.deepEqual(await refusals(planned, [same(2, known), same(3, 99_999)]), unknown)
    const hidden = await school.student(registrar, { name: 'Cy', admission_number: 'h-1', class_id: 2 })
    const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const
    const teacher = new Importer(school, await personHolding(school, [held, [1]]))
    const theirs = await teacher.planned(file)
    for (const id of [hidden, 99_999])
      assert.deepEqual(await refusals(theirs, [same(2, known), same(3, id)], teacher), unknown)
  })

  it('is taken back by null', async () => {
    const planned = await importer.planned(`${header}\nAda Back,0-42,Class 1\n`)
    assert.equal(planned.counts.doubtful, 1)
    const decided = await importer.continued(planned, { decisions: [{ row: 2, decision: 'new' }] })
    assert.equal(decided.counts.create, 1)
    const again = await importer.continued(decided, { decisions: [{ row: 2, decision: null }] })
    assert.equal(again.counts.doubtful, 1)
    const [row] = await importer.rows(planned.id)
    assert.equal(row.decision, undefined)
    const withId = await refusals(again, [{ row: 2, decision: null, id: known }])
    assert.deepEqual(withId, [['/decisions/0/id', 'invalid', 'goes with same and same_keep_name alone']])
  })

  it('that leaves a row out is of any row that would be imported, and is taken back', async () => {
    const changing = `${header},address\nAda Known,0042,Class 1,New Road\nBo New,b-9,Class 1,\nBo None,,Class 1,\n`
    const planned = await importer.planned(changing)
    const outcomesOf = ({ counts }: typeof planned) => [counts.create, counts.change, counts.left_out]
    assert.deepEqual(outcomesOf(planned), [1, 1, 0])
    const leftOut = [2, 3].map((row) => ({ row, decision: 'leave_out' }))
    const without = await importer.continued(planned, { decisions: leftOut })
    assert.deepEqual(outcomesOf(without), [0, 0, 2])
    const again = await importer.continued(without, { decisions: [{ row: 2, decision: null }] })
    assert.deepEqual(outcomesOf(again), [0, 1, 1])
    const detail = 'must be a row that can be imported, and row 4 is refused'
    assert.deepEqual(await refusals(again, [{ row: 4, decision: 'leave_out' }]), [
      ['/decisions/0/row', 'wrong_outcome', detail],
    ])
  })

  it('that says who a row is, is of a doubtful row, or of one that is decided already', async () => {
    const planned = await importer.planned(`${header}\nAda Doubt,00042,Class 1\nBo New,b-1,Class 1\n`)
    const wrong = [
      { row: 3, decision: 'new' },
      { row: 3, decision: 'same', id: known },
    ]
    const detail = 'must be a doubtful row, and the outcome of row 3 is create'
    for (const one of wrong)
      assert.deepEqual(await refusals(planned, [{ row: 2, decision: 'new' }, one]), [
        ['/decisions/1/row', 'wrong_outcome', detail],
      ])
    let now = planned
    for (const decision of ['leave_out', 'new', 'leave_out', null, null, 'new'])
      now = await importer.continued(now, { decisions: [{ row: 2, decision }] })
    assert.deepEqual([now.counts.create, now.counts.doubtful], [2, 0])
    const nothing = await importer.continued(now, { decisions: [{ row: 3, decision: null }] })
    assert.deepEqual(nothing.counts, now.counts)
  })

  it('is of a row of the plan: while questions are open there is none', async () => {
    const asked = await importer.read(await importer.send(`${header}\nAda Open,00042,9Q\n`))
    assert.equal(asked.state, 'question')
    const detail = 'must be a row of the plan, and there is none yet: answer the questions first'
    assert.deepEqual(await refusals(asked, [{ row: 2, decision: 'new' }]), [
      ['/decisions/0/row', 'no_plan', detail],
    ])
  })

  it('tells nobody of doubts that they are not shown, nor of decisions', async () => {
    const held = ['students.view', 'students.create', 'students.update'] as const
    const some = new Importer(school, await personHolding(school, [['students.import'], 'all'], [held, [2]]))
    const planned = await importer.planned(`${header}\nAda Hid,000042,Class 1\nBo Hid,b-2,Class 1\n`)
    const decided = await importer.continued(planned, { decisions: [{ row: 2, decision: 'new' }] })
    const doubted = await importer.continued(decided, { decisions: [{ row: 2, decision: null }] })
    for (const { id } of [decided, doubted]) {
      const theirs = await some.read(id)
      for (const row of [2, 3]) {
        const [[pointer, code]] = await refusals(theirs, [{ row, decision: 'new' }], some)
        assert.deepEqual([pointer, code], ['/decisions/0/row', 'wrong_outcome'])
      }
    }
  })

  it('stands once in a request', async () => {
    const planned = await importer.planned(`${header}\nAda Twice,004-2,Class 1\n`)
    const twice = [
      { row: 2, decision: 'new' },
      { row: 2, decision: 'leave_out' },
    ]
    assert.deepEqual(await refusals(planned, twice), [
      ['/decisions/1/row', 'duplicate', 'must not stand here twice'],
    ])
    const beside = [
      { row: 2, sheet: 'Foo', decision: 'new' },
      { row: 2, decision: 'new' },
    ]
    assert.deepEqual(
      (await refusals(planned, beside)).map(([pointer]: string[]) => pointer),
      ['/decisions/0/sheet'],
    )
  })

  it('that two rows are of one child refuses both, and names the row, not a number', async () => {
    const planned = await importer.planned(`${header}\nAda Known,DD-1,Class 1\nAda Known,DD-2,Class 1\n`)
    const decisions = [2, 3].map((row) => ({ row, decision: 'same', id: known }))
    const after = await importer.continued(planned, { decisions })
    assert.equal(after.counts.refused, 2)
    const rows = await importer.rows(planned.id)
    assert.deepEqual(
      rows.map(({ cells }) => cells.filter(({ code }: { code?: string }) => code !== undefined)),
      [3, 2].map((row) => [
        {
          ...{ column: 'row', code: 'duplicate', detail: `is of the same student as row ${row}` },
          params: { row },
        },
      ]),
    )
    const german = (await importer.refused(planned.id, '?language=de')).text
    assert.match(german, /Zeile: Gehört zum selben Kind wie Zeile 3 der gesendeten Datei\./)
  })

  it('names its sheet where a file has several, and none of another name', async () => {
    const cells = (...texts: string[]) => texts.map(inline)
    const head = cells('name', 'admission_number', 'class')
    const sheet = (name: string, number: string) => ({
      name,
      ...sheetOf([head, cells('Eva Sheet', number, 'Class 11')]),
    })
    const several = await importer.planned(
      await writtenWorkbook({ sheets: [sheet('7a', 's-1'), sheet('7 b', 's-2')] }),
    )
    assert.deepEqual(
      await refusals(several, [
        { row: 2, decision: 'new' },
        { row: 2, sheet: '7c', decision: 'new' },
        { row: 3, sheet: '7a', decision: 'new' },
      ]),
      [
        ['/decisions/0/sheet', 'required', 'is required: the sheets of the file are 7a, 7 b'],
        ['/decisions/1/sheet', 'not_allowed', 'must be one of 7a, 7 b'],
        ['/decisions/2/row', 'unknown_row', 'is no row of the file below its header'],
      ],
    )
    const one = await importer.planned(await writtenWorkbook({ sheets: [sheet('7d', 's-3')] }))
    assert.deepEqual(await refusals(one, [{ row: 2, sheet: 'Foo', decision: 'new' }]), [
      ['/decisions/0/sheet', 'not_allowed', 'must be one of 7d'],
    ])
    const text = await importer.planned(`${header}\nAda Text,t-1,Class 1\n`)
    assert.deepEqual(await refusals(text, [{ row: 2, sheet: 'Foo', decision: 'new' }]), [
      ['/decisions/0/sheet', 'invalid', 'must be left out: the file has no sheets with names'],
    ])
  })
})
