import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('a row that somebody decided to be another child', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  let next = 0
  /** A name that no other test has, and one that differs in one character. */
  let [there, given] = ['', '']
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })
  beforeEach(() => {
    next++
    there = `Tim Krafft${'abcdefg'[next]}`
    given = there.replace('ff', 'f')
  })

  const make = (name: string, born = '2015-04-03') => {
    const details = { date_of_birth: born }
    return school.student(registrar, { admission_number: `t-${name}`, name, ...details })
  }
  const send = async (...rows: string[]) => {
    const header = 'admission_number,name,class,date_of_birth'
    return importer.read(await importer.send(`${[header, ...rows].join('\n')}\n`))
  }
  const row = (name: string, born = '2015-04-03') => `n-${next},${name},Class 1,${born}`
  const decide = (before: ShownImport, decision: string | null, id?: number) =>
    importer.continued(before, { decisions: [{ row: 2, decision, ...(id && { id }) }] })
  const rowOf = async ({ id }: ShownImport) => {
    const [{ outcome, decision, cells }] = await importer.rows(id)
    return [outcome, decision, cells.flatMap(({ code }: { code?: string }) => code ?? [])]
  }

  it('is asked about again where a student came since who may be this child, and not else', async () => {
    await make(there)
    const doubtful = await send(row(given))
    assert.deepEqual(await rowOf(doubtful), ['doubtful', undefined, ['similar_name_and_date']])
    const decided = await decide(doubtful, 'new')
    assert.deepEqual(await rowOf(decided), ['create', 'new', ['similar_name_and_date']])
    await make(given)
    const { status, body } = await importer.apply(decided)
    assert.deepEqual([status, body.code], [409, 'plan_outdated'])
    const anew = await importer.read(decided.id)
    assert.deepEqual([anew.counts.create, anew.counts.doubtful], [0, 1])
    assert.deepEqual(await rowOf(anew), [
      'doubtful',
      undefined,
      ['same_name_and_date', 'similar_name_and_date'],
    ])
    const done = await importer.applied(await decide(anew, 'new'))
    assert.deepEqual([done.state, done.counts.create], ['applied', 1])
  })

  it('is asked about again where it may be somebody else by another answer', async () => {
    await make(there)
    await make(given, '2015-03-04')
    const first = await send(row(given, '04/03/2015'))
    const answer = (before: ShownImport, order: string) =>
      importer.continued(before, { answers: { 'date_order.date_of_birth': order } })
    const byMonth = await answer(first, 'month_first')
    assert.deepEqual(await rowOf(byMonth), ['doubtful', undefined, ['similar_name_and_date']])
    const byDay = await answer(await decide(byMonth, 'new'), 'day_first')
    assert.deepEqual(await rowOf(byDay), ['doubtful', undefined, ['same_name_and_date']])
  })

  it('stays so where it was decided otherwise before, since the plan does not tell that doubt then', async () => {
    const id = await make(there)
    const same = await decide(await send(row(given)), 'same', id)
    assert.deepEqual((await rowOf(same)).slice(0, 2), ['change', 'same'])
    const another = await decide(same, 'new')
    assert.deepEqual(await rowOf(another), ['create', 'new', ['similar_name_and_date']])
    const none = await decide(another, 'leave_out')
    assert.deepEqual((await rowOf(none)).slice(0, 2), ['left_out', 'leave_out'])
    assert.deepEqual((await rowOf(await decide(none, 'new'))).slice(0, 2), ['create', 'new'])
  })
})
