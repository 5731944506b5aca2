import assert from 'node:assert/strict'
import { StatementSync } from 'node:sqlite'
import { after, before, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { maxSessions } from '../src/access/session-limit.ts'
import { insertSession } from '../src/access/sessions.ts'
import { insertClass } from '../src/classes/changes.ts'
import type { PageRead } from '../src/db/sqlite-reader.ts'
import { SqliteReaders } from '../src/db/sqlite-readers.ts'
import { write } from '../src/events/write.ts'
import { insertList } from '../src/lists/changes.ts'
import { insertGrant } from '../src/roles/queries.ts'
import { insertStudent } from '../src/students/queries.ts'
import { insertUser } from '../src/users/queries.ts'
import { resolved } from './described.ts'
import { engine } from './engine.ts'
import { grant, personHolding } from './grants.ts'
import { exampleFile } from './routes.ts'
import { byTest, openSchool, type Person, type School } from './school.ts'

/** The statements that have reached a driver, the session's own among them. */
const statements: string[] = []

/** Each query of a client, but for those that ask a slow database whether it is there. */
function listenOnPostgres(): void {
  const { query } = pg.Client.prototype
  mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: [string | pg.QueryConfig]) {
    const sent = typeof args[0] === 'string' ? { text: args[0] } : args[0]
    if (sent.text !== 'select 1') statements.push(sent.text)
    return Reflect.apply(query, this, args)
  })
}

/**
 * Each statement that this thread runs, or sends to the writing one. What would be read in another thread is read
 * here, by the same method.
 */
function listenOnSqlite(): void {
  for (const method of ['all', 'get', 'iterate', 'run'] as const) {
    const original = StatementSync.prototype[method]
    mock.method(StatementSync.prototype, method, function (this: StatementSync, ...args: unknown[]) {
      if (!['begin', 'commit'].includes(this.sourceSQL)) statements.push(this.sourceSQL)
      return Reflect.apply(original, this, args)
    })
  }
  const { postMessage } = Worker.prototype
  mock.method(Worker.prototype, 'postMessage', function (this: Worker, message: unknown) {
    const sent = (message as { statements?: { sql: string }[] }).statements ?? []
    statements.push(...sent.map(({ sql }) => sql))
    return postMessage.call(this, message)
  })
  mock.method(SqliteReaders.prototype, 'pageBeside', async function (this: SqliteReaders, read: PageRead) {
    return { found: this.page(read), ms: 0 }
  })
}

type Caller = 'administrator' | 'teacher'
type List = readonly [path: string, callers: readonly Caller[], took: { sqlite: number; postgres: number }]

const both: Caller[] = ['administrator', 'teacher']
const administrator: Caller[] = ['administrator']

/** On SQLite one statement asks besides whether most students are in the classes. */
const ofFewClasses: readonly List[] = ['sort=-family_name', 'preferred_name.empty=true'].map((query) => [
  `/api/students?${query}`,
  ['teacher'],
  { sqlite: 3, postgres: 2 },
])

/** The session, then the page; a search of classes reads these in two statements. */
const lists: readonly List[] = [
  ['/api/students?', both, { sqlite: 2, postgres: 2 }],
  ['/api/students?sort=-name', both, { sqlite: 2, postgres: 2 }],
  ['/api/students?sort=-id', both, { sqlite: 2, postgres: 2 }],
  ['/api/students?class_id=1', both, { sqlite: 2, postgres: 2 }],
  ['/api/students?class_id=1&sort=created_at', both, { sqlite: 2, postgres: 2 }],
  ['/api/students?sort=family_name', administrator, { sqlite: 2, postgres: 2 }],
  ['/api/students?preferred_name.empty=true', administrator, { sqlite: 2, postgres: 2 }],
  ['/api/students?guardian_phone.empty=true', administrator, { sqlite: 2, postgres: 2 }],
  ['/api/students?columns=id,created_at', both, { sqlite: 2, postgres: 2 }],
  ['/api/students?search=many&preferred_name.empty=true', both, { sqlite: 2, postgres: 2 }],
  ['/api/students?search=many', both, { sqlite: 2, postgres: 2 }],
  ['/api/students?search=many&sort=admission_number', both, { sqlite: 2, postgres: 2 }],
  ['/api/students?search=many&class_id=1', both, { sqlite: 2, postgres: 2 }],
  ['/api/students?guardian=guardian', administrator, { sqlite: 2, postgres: 2 }],
  ['/api/students?guardian=guardian&search=many&class_id=1', administrator, { sqlite: 2, postgres: 2 }],
  ['/api/students?search=many+ada', both, { sqlite: 2, postgres: 2 }],
  ...ofFewClasses,
  ['/api/classes?', both, { sqlite: 2, postgres: 2 }],
  ['/api/classes?archived=false', both, { sqlite: 2, postgres: 2 }],
  ['/api/classes?search=many', both, { sqlite: 3, postgres: 3 }],
  ['/api/lists?', both, { sqlite: 2, postgres: 2 }],
  ['/api/users?', administrator, { sqlite: 2, postgres: 2 }],
  ['/api/users?search=many', administrator, { sqlite: 2, postgres: 2 }],
  ['/api/users?role=viewer&state=active', administrator, { sqlite: 2, postgres: 2 }],
  ['/api/roles?', administrator, { sqlite: 2, postgres: 2 }],
  ['/api/auth/sessions?', both, { sqlite: 2, postgres: 2 }],
]
/** Lists that are always alike. Of doubles: whether students changed since the search, and what is settled. */
const fixedLists: readonly List[] = [
  ['/api/students/1/history', both, { sqlite: 4, postgres: 4 }],
  ['/api/classes/1/history', both, { sqlite: 4, postgres: 4 }],
  ['/api/users/1/history', administrator, { sqlite: 4, postgres: 4 }],
  ['/api/roles/1/history', administrator, { sqlite: 4, postgres: 4 }],
  ['/api/audit', administrator, { sqlite: 4, postgres: 4 }],
  ['/api/permissions', administrator, { sqlite: 1, postgres: 1 }],
  ['/api/fields', both, { sqlite: 2, postgres: 2 }],
  ['/api/doubles', both, { sqlite: 3, postgres: 3 }],
  ['/api/imports', administrator, { sqlite: 4, postgres: 4 }],
  ['/api/imports/1/rows', administrator, { sqlite: 9, postgres: 9 }],
  ['/api/import-mappings', administrator, { sqlite: 3, postgres: 3 }],
]

describe('the statements of a list', () => {
  let school: School
  let people: Record<Caller, Person>
  let last = 0

  before(async () => {
    school = await openSchool()
    await write(school.db, byTest, (db) => db.deleteFrom('classes').where('id', '>', 1).execute())
    people = {
      administrator: await school.person('administrator'),
      teacher: await personHolding(school, [['students.view', 'classes.view'], [1]]),
    }
    await grow(1)
    for (const caller of both) await school.get('/api/students', people[caller])
    await school.send('POST', '/api/imports', { as: people.administrator, ...exampleFile })
    await school.app.importJobs.idle()
    await school.app.sessionUses.flush() // else that they were used may be written at any time
    if (engine === 'postgres') listenOnPostgres()
    else listenOnSqlite()
    if (engine === 'postgres') await sampled()
  })
  after(() => mock.restoreAll())

  /** A first search has students sampled, beside the requests: see `RareParts`. */
  async function sampled(): Promise<void> {
    await read('/api/students?search=many', 'administrator')
    while (!statements.some((sql) => sql.includes('tablesample'))) await turn()
  }

  /** Adds so many to each list: students, classes, each in a role of the teacher's, accounts with grants, sessions. */
  async function grow(count: number): Promise<void> {
    const { administrator, teacher } = people
    const now = school.now().toISOString()
    const expiresAt = new Date(school.now().getTime() + 60_000).toISOString()
    for (const end = last + count; last < end; ) {
      const name = `Many ${++last}`
      const classId = await write(school.db, byTest, async (db) => {
        const guardians = [{ name: `Guardian ${last}` }]
        const student = { name: `Ada ${name}`, admission_number: name, class_id: 1, guardians }
        await insertStudent(db, student, now)
        const account = { name, email: `many${last}@school.example`, passwordHash: '' }
        const userId = await insertUser(db, byTest, account, now)
        const classId = await insertClass(db, { label: name }, now)
        await insertGrant(db, userId, 'viewer', now, [1, classId])
        await insertList(db, { name }, now)
        // No more than an account may have: the one that asks would end.
        for (const { id } of last < maxSessions - 1 ? [administrator, teacher] : []) {
          const key = crypto.getRandomValues(new Uint8Array(32))
          await insertSession(db, { key, userId: id, createdAt: now, expiresAt })
        }
        return classId
      })
      await grant(school, teacher, [['students.view', 'classes.view'], [classId]])
    }
  }

  async function read(path: string, caller: Caller): Promise<{ took: string[]; length: number }> {
    statements.length = 0
    const { status, body, text } = await school.get(path, people[caller])
    assert.equal(status, 200, text)
    return { took: [...statements], length: body.data.length }
  }

  async function took(path: string, caller: Caller): Promise<number> {
    return (await read(path, caller)).took.length
  }

  /** Reads every list whole. @returns how long each is */
  async function readAll(): Promise<number[]> {
    const lengths: number[] = []
    for (const [path, callers, expected] of lists) {
      for (const caller of callers) {
        const { took, length } = await read(`${path}&per_page=100`, caller)
        assert.equal(took.length, expected[engine], [`${path} as ${caller}:`, ...took].join('\n'))
        lengths.push(length)
      }
    }
    return lengths
  }

  it('are as many of one entry as of sixty, for an administrator and for a class teacher', async () => {
    const few = await readAll()
    assert.ok(Math.max(...few) <= 5 && Math.min(...few) >= 1, String(few))
    await grow(60)
    await read('/api/students', 'teacher')
    const many = await readAll()
    assert.deepEqual(
      many,
      few.map((length) => length + 60),
    )
    await read('/api/doubles', 'administrator')
    for (const [path, callers, expected] of fixedLists)
      for (const caller of callers) assert.equal(await took(path, caller), expected[engine], path)
  })

  it('are looked at here of every list that the platform has', async () => {
    const described = (await school.app.describe()) as { paths: Record<string, Record<string, Operation>> }
    const { paths } = described
    const isList = ({ get }: Record<string, Operation>) => {
      const schema = get?.responses['200']?.content['application/json']?.schema
      return schema !== undefined && resolved(described, schema).properties?.data?.type === 'array'
    }
    const listed = Object.keys(paths).filter((path) => isList(paths[path]!))
    const here = [...lists, ...fixedLists].map(([path]) => path.replace(/\?.*/, '').replace('/1/', '/{id}/'))
    assert.deepEqual(listed.sort(), [...new Set(here)].sort())
  })

  it('are one more on SQLite where a page does not tell the total, and where many are skipped', async () => {
    const more = engine === 'sqlite' ? 1 : 0
    for (const [path, callers, expected] of lists) {
      if (!path.startsWith('/api/students') || path.includes('guardian=')) continue
      for (const caller of callers) {
        const full = await took(`${path}&per_page=1`, caller)
        const past = await took(`${path}&per_page=1&page=99`, caller)
        const each = expected[engine] + more
        assert.deepEqual([full, past], [each, each], `${path} as ${caller}`)
      }
    }
    const deep = '/api/students?per_page=1&page=5000'
    assert.equal(await took(deep, 'administrator'), engine === 'sqlite' ? 3 : 2)
  })

  it('are the session alone for who may not', async () => {
    const nobody = await personHolding(school)
    for (const path of [
      '?',
      '?guardian=x',
      '?sort=name',
      '?class_id=1',
      '?search=many',
      '?search=ada+many',
      '/1',
    ]) {
      statements.length = 0
      assert.equal((await school.get(`/api/students${path}`, nobody)).status, 403, path)
      assert.equal(statements.length, 1, statements.join('\n'))
    }
  })

  it('are one where nothing can be found', async () => {
    for (const caller of both) assert.equal(await took('/api/students?search=%01', caller), 1)
    assert.equal(await took('/api/students?class_id=2000', 'teacher'), 1)
  })
})

describe('the statements of a student', () => {
  let school: School
  let admin: Person
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
    for (const label of ['House', 'Motto']) await school.post('/api/fields', { label, kind: 'text' }, admin)
    await school.app.sessionUses.flush()
    if (engine === 'postgres') listenOnPostgres()
    else listenOnSqlite()
  })
  after(() => mock.restoreAll())

  /** The statements of a request, from the second time on. */
  async function took(method: string, path: string, body?: () => object): Promise<string[]> {
    for (const isCounted of [false, true]) {
      statements.length = 0
      const headers = { 'if-match': '*' }
      const sending = { as: admin, headers, ...(body && { body: body() }) }
      const answer = await school.send(method, path, sending)
      assert.ok(answer.status < 300, answer.text)
      if (isCounted) break
    }
    return [...statements]
  }

  it('are none more for the school’s own fields, but where a write gives some', async () => {
    const without = await school.student(admin)
    const having = await school.student(admin, { fields: { house: 'Oak', motto: 'x' } })
    for (const id of [without, having]) assert.equal((await took('GET', `/api/students/${id}`)).length, 2)
    const rename = () => ({ name: `Ada ${crypto.randomUUID()}` })
    const plain = await took('PATCH', `/api/students/${without}`, rename)
    assert.deepEqual(await took('PATCH', `/api/students/${having}`, rename), plain)
    const toFill = () => ({ fields: { motto: crypto.randomUUID() } })
    const filling = await took('PATCH', `/api/students/${having}`, toFill)
    const ofFields = filling.filter((text) => /field_changes/.test(text) && !/students/.test(text))
    assert.equal(ofFields.length, 1, filling.join('\n'))
  })
})

interface Operation {
  readonly responses: Record<
    string,
    { content: Record<string, { schema: { properties?: { data?: { type: string } } } }> }
  >
}
