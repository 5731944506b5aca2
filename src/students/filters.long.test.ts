import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { dice, insertRecorded, type RecordedStudent } from '../../test/recorded-students.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { isFoundBy, searchable } from '../../test/search-model.ts'
import { fold } from '../text/search-words.ts'
import { type Sort, sorts } from './lists/asked.ts'
import { listColumns } from './lists/columns.ts'
import { type OptionalField, optionalFields } from './lists/filter.ts'

const count = 1_300

type Parameters = readonly (readonly [name: string, value: string])[]

/** How students stand in a list, with those last who have nothing to be ordered by. */
const keysOf: Record<string, (student: RecordedStudent) => (string | null)[]> = {
  id: () => [],
  name: ({ name }) => [fold(name), name],
  admission_number: ({ admission_number }) => [admission_number.toLowerCase()],
  created_at: ({ created_at }) => [created_at],
  family_name: ({ family_name, name }) => [family_name && fold(family_name), fold(name), name],
  date_of_birth: ({ date_of_birth }) => [date_of_birth],
}

function inOrder(students: readonly RecordedStudent[], sort: Sort): RecordedStudent[] {
  const direction = sort.startsWith('-') ? -1 : 1
  const keysBy = keysOf[sort.replace('-', '')]!
  const keyed = students.map((student) => {
    const keys = keysBy(student)
    return { student, isEmpty: keys[0] === null, keys: keys.map((key) => Buffer.from(key ?? '')) }
  })
  keyed.sort((a, b) => {
    if (a.isEmpty !== b.isEmpty) return a.isEmpty ? 1 : -1
    const orders = a.keys.map((key, i) => key.compare(b.keys[i]!))
    return (orders.find((order) => order !== 0) ?? a.student.id - b.student.id) * direction
  })
  return keyed.map(({ student }) => student)
}

/** Whether a student meets one filter. */
function meets(student: RecordedStudent, name: string, value: string): boolean {
  const { date_of_birth: born } = student
  if (name === 'search') {
    const texts = [
      student.name,
      student.preferred_name ?? '',
      student.former_names ?? '',
      student.admission_number,
    ]
    return isFoundBy(value, texts.map(searchable))
  }
  if (name === 'gender') return student.gender === value
  if (name === 'date_of_birth.from') return born !== null && born >= value
  if (name === 'date_of_birth.to') return born !== null && born <= value
  const field = name.replace('.empty', '') as OptionalField
  return (student[field] === null) === (value === 'true')
}

/** The students of these classes that a list is of, in its order. */
function expected(
  students: readonly RecordedStudent[],
  classes: readonly number[],
  parameters: Parameters,
): RecordedStudent[] {
  const asked = parameters.filter(([name]) => name === 'class_id').map(([, id]) => Number(id))
  const filters = parameters.filter(([name]) => !['class_id', 'sort', 'columns'].includes(name))
  const sort = parameters.find(([name]) => name === 'sort')?.[1] ?? 'id'
  const found = students
    .filter(({ class_id }) => classes.includes(class_id) && (asked.length === 0 || asked.includes(class_id)))
    .filter((student) => filters.every(([name, value]) => meets(student, name, value)))
  return inOrder(found, sort as Sort)
}

describe('GET /api/students, by what the office asks', () => {
  const all = [1, 2, 3, 4, 5]
  let school: School
  let students: RecordedStudent[]
  let registrar: Person
  let teacher: Person
  before(async () => {
    school = await openSchool()
    students = await insertRecorded(school.db, count)
    registrar = await school.person('registrar')
    teacher = await personHolding(school, [
      ['students.view', 'students.sensitive'],
      [2, 5],
    ])
  })

  async function check(as: Person, parameters: Parameters, page = 1, perPage = 20): Promise<void> {
    const classes = as === teacher ? [2, 5] : all
    const found = expected(students, classes, parameters)
    const query = new URLSearchParams([
      ...parameters.map(([name, value]): [string, string] => [name, value]),
      ['page', String(page)],
      ['per_page', String(perPage)],
    ])
    const { status, body, text } = await school.get(`/api/students?${query}`, as)
    assert.equal(status, 200, `${query} ${text}`)
    const names = parameters.find(([name]) => name === 'columns')?.[1].split(',')
    const members = names ?? ['id', 'name', 'admission_number', 'class_id', 'class']
    const shown = found
      .slice((page - 1) * perPage, page * perPage)
      .map((student) =>
        Object.fromEntries(members.map((name) => [name, student[name as keyof RecordedStudent]])),
      )
    assert.deepEqual(body.data, shown, String(query))
    for (const row of body.data) assert.deepEqual(Object.keys(row), members, String(query))
    assert.equal(body.pagination.total, found.length, String(query))
  }

  it('orders by family name and by date of birth, those without one last in both directions', async () => {
    for (const sort of sorts.filter((sort) => /family|birth/.test(sort)))
      for (const as of [registrar, teacher])
        for (const [page, perPage] of [
          [1, 20],
          [5, 100],
          [1, 1_000],
          [80, 13],
          [9, 1_000],
        ] as const)
          await check(as, [['sort', sort]], page, perPage)
  })

  it('gives every page once where those without a family name begin within a page', async () => {
    for (const sort of ['family_name', '-family_name', 'date_of_birth', '-date_of_birth'])
      for (let page = 1; page <= 20; page++) await check(registrar, [['sort', sort]], page, 67)
  })

  it('finds who has a field or lacks it, for each field that may be empty', async () => {
    for (const field of optionalFields)
      for (const value of ['true', 'false'])
        for (const as of [registrar, teacher]) await check(as, [[`${field}.empty`, value]])
  })

  it('gives the pages far from the first, of a filter that most meet', async () => {
    for (const sort of sorts)
      for (const page of [10, 11, 12])
        await check(
          registrar,
          [
            ['sort', sort],
            ['gender.empty', 'false'],
          ],
          page,
          100,
        )
  })

  it('finds the students of several classes, in any order and however often one is named', async () => {
    const classes = (...ids: number[]): Parameters => ids.map((id) => ['class_id', String(id)])
    for (const parameters of [classes(5, 3), classes(3, 5, 3), classes(2, 999), classes(1, 2, 3, 4, 5)])
      for (const as of [registrar, teacher])
        for (const sort of ['id', '-name', 'family_name'])
          await check(as, [...parameters, ['sort', sort], ['gender', 'female']])
  })

  it('takes a gender to the letter, and days of birth with both ends', async () => {
    await check(registrar, [['gender', 'female']])
    await check(registrar, [['gender', 'Female']])
    const { body } = await school.get('/api/students?gender=%20Female%20&per_page=1', registrar)
    const female = students.filter(({ gender }) => gender === 'Female')
    assert.equal(body.pagination.total, female.length, 'blanks around it do not count, as in a record')
    const odd = await school.get('/api/students?gender=%00', registrar)
    assert.deepEqual([odd.status, odd.body.errors?.[0].pointer], [422, '/gender'])
    const day = students.find(({ date_of_birth }) => date_of_birth !== null)!.date_of_birth!
    const ofDay: Parameters = [
      ['date_of_birth.from', day],
      ['date_of_birth.to', day],
    ]
    assert.ok(expected(students, all, ofDay).length > 1)
    await check(registrar, ofDay)
    await check(registrar, [...ofDay.slice(0, 1), ['sort', '-date_of_birth']], 3, 50)
  })

  it('finds nobody, of none, where no student is such', async () => {
    const none: Parameters[] = [
      [['gender', 'nobody']],
      [['date_of_birth.from', '2030-01-01']],
      [
        ['gender', 'female'],
        ['gender.empty', 'true'],
      ],
      [
        ['class_id', '999'],
        ['email.empty', 'true'],
      ],
    ]
    for (const parameters of none)
      for (const as of [registrar, teacher])
        for (const page of [1, 3]) {
          assert.deepEqual(expected(students, all, parameters), [])
          await check(as, parameters, page)
        }
  })

  it('agrees with a naive filter for any filters, order, columns, page and search together', async () => {
    const roll = dice(7)
    const one = <Value>(...values: Value[]): Value => values[roll(values.length)]!
    const names = listColumns.map(({ name }) => name)
    for (let i = 0; i < 250; i++) {
      const parameters = new Map<string, string>()
      if (roll(2)) parameters.set('sort', one(...sorts))
      if (roll(3) === 0) parameters.set('gender', one('female', 'male', 'x'))
      const [from, to] = [roll(4), roll(4)].sort()
      if (roll(3) === 0) parameters.set('date_of_birth.from', `201${from}-02-11`)
      if (roll(3) === 0) parameters.set('date_of_birth.to', `201${to}-02-11`)
      for (let n = roll(3); n > 0; n--)
        parameters.set(`${one(...optionalFields)}.empty`, one('true', 'false'))
      if (roll(3) === 0) parameters.set('search', one('zoe', 'n-1', 'a', 'meier', 'zo mul', '李'))
      if (roll(2)) parameters.set('columns', [...new Set([one(...names), one(...names), 'id'])].join())
      const classes = Array.from({ length: roll(3) }, () => ['class_id', String(1 + roll(6))] as const)
      const perPage = one(1, 7, 20, 300)
      await check(
        one(registrar, teacher),
        [...parameters, ...classes],
        1 + roll(one(3, 3, 700 / perPage)),
        perPage,
      )
    }
  })

  it('keeps every filter in its links, each class too', async () => {
    const query = 'class_id=3&class_id=5&sort=-family_name&columns=id%2Cgender&gender=x&email.empty=true'
    const { headers } = await school.get(`/api/students?per_page=1&page=2&${query}`, registrar)
    const links = String(headers.link)
    for (const [rel, page] of [
      ['first', 1],
      ['prev', 1],
      ['next', 3],
    ] as const)
      assert.ok(links.includes(`</api/students?page=${page}&per_page=1&${query}>; rel="${rel}"`), links)
    let seen = 0
    for (let next: string | undefined = `/api/students?per_page=5&${query}`; next !== undefined; ) {
      const answer = await school.get(next, registrar)
      seen += answer.body.data.length
      next = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1]
      assert.ok(answer.body.data.every(({ gender }: { gender: string }) => gender === 'x'))
      assert.ok(next !== undefined || seen === answer.body.pagination.total)
    }
    assert.ok(seen > 5)
  })

  it('follows a change of what it filters and orders by', async () => {
    const headers = { 'if-match': '*' }
    const change = async (body: object) =>
      (await school.send('PATCH', '/api/students/1', { as: registrar, body, headers })).status
    const first = async (query: string) =>
      (await school.get(`/api/students?per_page=1&${query}`, registrar)).body.data[0]?.id
    assert.equal(await change({ gender: 'changed', date_of_birth: '1901-01-01', email: null }), 200)
    assert.equal(await first('gender=changed'), 1)
    assert.equal(await first('sort=date_of_birth'), 1)
    assert.equal(await change({ gender: null, date_of_birth: null }), 200)
    assert.equal(await first('gender=changed'), undefined)
    assert.notEqual(await first('sort=date_of_birth'), 1)
  })
})
