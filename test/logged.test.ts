import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Route, routesOf } from './routes.ts'
import { openSchool, type Person, type School } from './school.ts'

/** What each writing route logs when it is called as its example says. */
const logged: Record<string, readonly string[]> = {
  'POST /api/students': ['student created'],
  'PATCH /api/students/{id}': ['student changed'],
  'POST /api/classes': ['class created'],
  'PATCH /api/classes/{id}': ['class changed'],
  'DELETE /api/classes/{id}': ['class removed'],
  'POST /api/users': ['account created'],
  'PATCH /api/users/{id}': ['account changed'],
  'DELETE /api/users/{id}': ['account removed'],
  'PUT /api/users/{id}/roles': ['account changed'],
  'POST /api/roles': ['role created'],
  'PATCH /api/roles/{id}': ['role changed'],
  'DELETE /api/roles/{id}': ['role removed'],
  'PATCH /api/school': ['school changed'],
  'POST /api/fields': ['field created'],
  'PATCH /api/fields/{id}': ['field changed'],
  'DELETE /api/fields/{id}': ['field removed'],
  'POST /api/lists': ['list created'],
  'PATCH /api/lists/{id}': ['list changed'],
  'DELETE /api/lists/{id}': ['list removed'],
  'PUT /api/doubles/{id}/{other}': ['double created'],
  'POST /api/change-sets/{id}/undo': ['class changed'],
}

/** What is sent instead of the example, whose name another record has by then. */
const ownNames: Record<string, object> = {
  'PATCH /api/roles/{id}': { name: 'Another role' },
  'PATCH /api/fields/{id}': { label: 'Another field' },
  'PATCH /api/lists/{id}': { name: 'Another list' },
}

/** Writing routes that log nothing: sessions, passwords, whose hashes are no record, and imports, which change none. */
const notLogged = [
  'POST /api/auth/logout',
  'PUT /api/auth/password',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/{id}',
  'PUT /api/users/{id}/password',
  'DELETE /api/users/{id}/sessions',
  'POST /api/imports',
  'PATCH /api/imports/{id}',
  'POST /api/imports/{id}/cancel',
  'POST /api/imports/{id}/apply', // its step logs
  'POST /api/imports/{id}/undo', // its step logs
  'DELETE /api/import-mappings/{id}',
]

describe('every route that writes', () => {
  let school: School
  let admin: Person
  let writing: Route[]
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
    const routes = await routesOf(school)
    writing = routes.filter(({ method, isGuarded }) => isGuarded && !['GET', 'HEAD'].includes(method))
  })

  it('is known here as one that logs what it changes, or as one that changes no record', () => {
    const names = writing.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(names.sort(), [...Object.keys(logged), ...notLogged].sort())
  })

  /** A record of its own for each route, so that all can be called. */
  async function idFor(path: string): Promise<number> {
    const name = crypto.randomUUID()
    const made = async (at: string, body: object) => (await school.post(at, body, admin)).body.data.id
    if (path.startsWith('/api/students')) return school.student(admin)
    if (path.startsWith('/api/classes')) return made('/api/classes', { label: name })
    if (path.startsWith('/api/users')) return (await school.person()).id
    if (path.startsWith('/api/fields')) return made('/api/fields', { label: name, kind: 'text' })
    if (path.startsWith('/api/lists')) return made('/api/lists', { name })
    if (path.startsWith('/api/doubles')) return school.student(admin)
    if (path.startsWith('/api/roles')) return made('/api/roles', { name, permissions: [] })
    const id = await made('/api/classes', { label: name })
    const headers = { 'if-match': '*' }
    await school.send('PATCH', `/api/classes/${id}`, { as: admin, body: { position: 77 }, headers })
    return (await school.get(`/api/classes/${id}/history`, admin)).body.data[0].change_set_id
  }

  async function newest(): Promise<number> {
    const set = await school.db
      .selectFrom('change_sets')
      .select((q) => q.fn.max('id').as('id'))
      .executeTakeFirst()
    return set?.id ?? 0
  }

  it('logs what it changes in one change set, with who made it; a refused one logs nothing', async () => {
    for (const { method, path, example } of writing) {
      const name = `${method} ${path}`
      const expected = logged[name]
      if (expected === undefined) continue
      const other = path.includes('{other}') ? await school.student(admin) : 0
      const url = path.replace('{id}', String(await idFor(path))).replace('{other}', String(other))
      const headers = { 'if-match': '*' }
      const body = ownNames[name] ?? (example as object | undefined)
      const stranger = await school.person()
      const since = await newest()
      assert.ok((await school.send(method, url, { as: stranger, headers, body })).status >= 400)
      assert.equal(await newest(), since, `${name} logged what was refused`)
      const answer = await school.send(method, url, { as: admin, headers, body })
      assert.ok(answer.status < 300, `${name}: ${answer.text}`)
      const events = await school.db
        .selectFrom('events')
        .innerJoin('change_sets', 'change_sets.id', 'events.change_set_id')
        .selectAll()
        .where('change_sets.id', '>', since)
        .execute()
      assert.deepEqual(
        events.map(({ record, action }) => `${record} ${action}`),
        expected,
        name,
      )
      for (const { user_id, request_id, address } of events) {
        assert.equal(user_id, admin.id)
        assert.ok(request_id && address)
      }
    }
  })

  it('leaves no password, hash or token in the log', async () => {
    const rows = await school.db.selectFrom('events').selectAll().execute()
    const secrets = await school.db.selectFrom('event_secrets').selectAll().execute()
    const text = JSON.stringify([rows, secrets])
    assert.ok(rows.length > 10)
    assert.doesNotMatch(text, /argon2|eyJ[\w-]+\.|password/i)
  })
})
