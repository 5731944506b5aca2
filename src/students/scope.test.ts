import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { studentRow } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { isFoundBy, searchable } from '../../test/search-model.ts'
import { write } from '../events/write.ts'
import { fold } from '../text/search-words.ts'
import { type Sort, sorts } from './lists/asked.ts'

interface Row {
  readonly id: number
  readonly name: string
  readonly admission_number: string
  readonly class_id: number
  readonly created_at: string
}

const names = [
  'Zoë Müller',
  'zoe müller',
  'Nguyễn Anh',
  'Anh Nguyen',
  '李小龙',
  'Ann-Marie O’Brien',
  'ÅSA',
  'Øystein Åsa',
]

/** Students of five classes, some alike in name, some of them created at the same instant. */
async function fill(school: School): Promise<Row[]> {
  const rows = Array.from({ length: 300 }, (_, i) => ({
    ...studentRow(`${names[i % names.length]} ${i % 7}`, `Nr-${(i * 37) % 300}`),
    class_id: 1 + ((i * i) % 5),
    created_at: new Date(Date.parse('2026-01-01T00:00:00.000Z') + (i % 90) * 1000).toISOString(),
  }))
  await write(school.db, byTest, async (db) => {
    await db.insertInto('students').values(rows).execute()
  })
  return school.db
    .selectFrom('students')
    .select(['id', 'name', 'admission_number', 'class_id', 'created_at'])
    .orderBy('id')
    .execute()
}

const bytes = (text: string) => Buffer.from(text)
const compareBy: Record<string, (a: Row, b: Row) => number> = {
  id: () => 0,
  name: (a, b) => bytes(fold(a.name)).compare(bytes(fold(b.name))) || bytes(a.name).compare(bytes(b.name)),
  admission_number: (a, b) =>
    bytes(a.admission_number.toLowerCase()).compare(bytes(b.admission_number.toLowerCase())),
  created_at: (a, b) => a.created_at.localeCompare(b.created_at),
}
/** Nobody has a family name here. */
compareBy.family_name = compareBy.name!

function expected(rows: readonly Row[], classes: readonly number[], search: string, sort: Sort): number[] {
  const found = rows.filter(
    ({ name, admission_number, class_id }) =>
      classes.includes(class_id) && isFoundBy(search, [searchable(name), searchable(admission_number)]),
  )
  const ascending = found.sort((a, b) => compareBy[sort.replace('-', '')]!(a, b) || a.id - b.id)
  return (sort.startsWith('-') ? ascending.reverse() : ascending).map(({ id }) => id)
}

describe('GET /api/students, of some classes and in any order', () => {
  let school: School
  let rows: Row[]
  let viewer: Person
  let teacher: Person
  let starter: Person
  before(async () => {
    school = await openSchool()
    rows = await fill(school)
    viewer = await school.person('viewer')
    teacher = await personHolding(school, [['students.view'], [2, 5]])
    starter = await personHolding(school, [['students.view'], []])
  })

  async function check(as: Person, classes: readonly number[], query: Record<string, string>): Promise<void> {
    const { search = '', sort = 'id' } = query
    const ids = expected(rows, classes, search, sort as Sort)
    for (const [page, perPage] of [
      [1, 20],
      [2, 7],
      [3, 50],
      [1, 1000],
    ] as const) {
      const where = new URLSearchParams({ ...query, page: String(page), per_page: String(perPage) })
      const { status, body, text } = await school.get(`/api/students?${where}`, as)
      assert.equal(status, 200, text)
      const shown = body.data.map(({ id }: { id: number }) => id)
      assert.deepEqual(shown, ids.slice((page - 1) * perPage, page * perPage), String(where))
      assert.equal(body.pagination.total, ids.length, String(where))
    }
  }

  const all = [1, 2, 3, 4, 5]
  const searches = [
    '',
    'zoe',
    'anh',
    'a',
    'nr-1',
    '李',
    'zoe mül',
    'nowhere',
    'asa 3',
    '\u0001',
    '\u00012',
    '2',
  ]

  for (const sort of sorts.filter((sort) => !sort.endsWith('date_of_birth'))) {
    it(`sorts by ${sort}: everyone’s students, one class’s, and what a search finds`, async () => {
      await check(viewer, all, { sort })
      await check(viewer, [2], { sort, class_id: '2' })
      await check(viewer, all, { sort, search: 'zoe' })
      await check(viewer, [1], { sort, class_id: '1', search: 'anh' })
      await check(teacher, [2, 5], { sort })
      await check(teacher, [2, 5], { sort, search: 'a' })
    })
  }

  it('lists, searches and counts for a teacher only the students of the classes of the grant', async () => {
    for (const search of searches) {
      await check(viewer, all, { search })
      await check(teacher, [2, 5], { search })
      await check(starter, [], { search })
    }
  })

  it('finds the students of a class that is asked for, where it is in scope, and else nobody', async () => {
    for (const class_id of ['1', '2', '5', '12', '999']) {
      await check(viewer, [Number(class_id)], { class_id })
      await check(
        teacher,
        [2, 5].filter((id) => id === Number(class_id)),
        { class_id, search: 'zoe' },
      )
      await check(
        teacher,
        [2, 5].filter((id) => id === Number(class_id)),
        { class_id },
      )
    }
  })

  it('shows a student out of scope to nobody: 404, as if there were none', async () => {
    for (const { id, class_id } of rows.slice(0, 40)) {
      const answer = await school.get(`/api/students/${id}`, teacher)
      assert.equal(answer.status, [2, 5].includes(class_id) ? 200 : 404)
      assert.equal((await school.get(`/api/students/${id}`, starter)).status, 404)
    }
    const absent = await school.get('/api/students/999999', teacher)
    const outside = await school.get(
      `/api/students/${rows.find(({ class_id }) => class_id === 1)!.id}`,
      teacher,
    )
    const { request_id: _, ...told } = absent.body
    const { request_id: __, ...toldOfOther } = outside.body
    assert.deepEqual(toldOfOther, told)
  })

  it('follows a grant that is widened, narrowed or taken away, from the next request on', async () => {
    const person = await personHolding(school, [['students.view'], [2]])
    await check(person, [2], {})
    await write(school.db, byTest, (db) =>
      db.updateTable('user_role_classes').set({ class_id: 3 }).where('user_id', '=', person.id).execute(),
    )
    await check(person, [3], {})
    await write(school.db, byTest, (db) =>
      db.updateTable('user_roles').set({ all_classes: 1 }).where('user_id', '=', person.id).execute(),
    )
    await check(person, all, {})
    await write(school.db, byTest, (db) =>
      db.updateTable('user_roles').set({ all_classes: 0 }).where('user_id', '=', person.id).execute(),
    )
    await check(person, [3], { search: 'zoe' })
    await write(school.db, byTest, (db) =>
      db.deleteFrom('user_role_classes').where('user_id', '=', person.id).execute(),
    )
    await check(person, [], {})
  })

  it('counts, for a scope, students that come, go and move to another class', async () => {
    const other = await openSchool()
    const registrar = await other.person('registrar')
    const teacher = await personHolding(other, [['students.view'], [1, 2]])
    const total = async () => (await other.get('/api/students', teacher)).body.pagination.total
    const id = await other.student(registrar, { class_id: 1 })
    await other.student(registrar, { class_id: 3 })
    assert.equal(await total(), 1)
    const move = (class_id: number) =>
      write(other.db, byTest, (db) =>
        db.updateTable('students').set({ class_id }).where('id', '=', id).execute(),
      )
    await move(2)
    assert.equal(await total(), 1)
    await move(3)
    assert.equal(await total(), 0)
    await move(1)
    assert.equal(await total(), 1)
    const found = async (search: string) =>
      (await other.get(`/api/students?search=${search}`, teacher)).body.data.length
    assert.equal(await found('ada'), 1)
    await move(3)
    assert.equal(await found('ada'), 0)
    await write(other.db, byTest, (db) => db.deleteFrom('students').where('id', '=', id).execute())
    assert.equal(await total(), 0)
  })

  it('finds the same, and counts it, by reading few hits of all classes and by the index among many', async () => {
    const other = await openSchool()
    const teacher = await personHolding(other, [['students.view'], [1]])
    const insert = (from: number, count: number) =>
      write(other.db, byTest, (db) =>
        db
          .insertInto('students')
          .values(
            Array.from({ length: count }, (_, i) => ({
              ...studentRow('Ada Hundred', `H-${from + i}`),
              class_id: 1 + ((from + i) % 2),
            })),
          )
          .execute(),
      )
    const page = async (number: number) => {
      const { body } = await other.get(`/api/students?search=hundred&per_page=20&page=${number}`, teacher)
      assert.ok(body.data.every(({ class_id }: Row) => class_id === 1))
      return [body.data.length, body.data[0]?.admission_number, body.pagination.total]
    }
    await insert(0, 99)
    assert.deepEqual(await page(1), [20, 'H-0', 50])
    assert.deepEqual(await page(3), [10, 'H-80', 50])
    assert.deepEqual(await page(4), [0, undefined, 50])
    await insert(99, 2)
    assert.deepEqual(await page(1), [20, 'H-0', 51])
    assert.deepEqual(await page(3), [11, 'H-80', 51])
    await write(other.db, byTest, (db) =>
      db.deleteFrom('students').where('admission_number', '=', 'H-100').execute(),
    )
    assert.deepEqual(await page(3), [10, 'H-80', 50])
  })
})
