import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { instantAfter } from '../src/access/clock.ts'
import { write } from '../src/events/write.ts'
import { logInAt } from './calls.ts'
import { temporaryFolder } from './cleanup.ts'
import { addUser, runWell } from './command.ts'
import { migratedDatabaseUrl, onlyOn } from './engine.ts'
import { byTest, openSchool } from './school.ts'
import { type ServerProcess, startServer } from './server.ts'

/*
 * A restore, or a failover that lost writes, takes a version back, and the next change makes another of the same
 * number. Whoever has read the lost one must neither be told that it still holds, nor overwrite the other unseen.
 */

/** What is changed of a record of each kind; a class before its student, whose tag is of both. */
const records: [path: string, change: (text: string) => object][] = [
  ['/api/classes/1', (label) => ({ label })],
  ['/api/fields/1', (label) => ({ label })],
  ['/api/students/1', (name) => ({ name })],
  ['/api/users/1', (name) => ({ name })],
  ['/api/roles/4', (name) => ({ name })],
]

describe('after a restore on SQLite', onlyOn('sqlite'), () => {
  it('the entity tag of a version that was lost is not that of another with the same number', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const backup = join(temporaryFolder(), 'backup.db')
    let server = await startServer(databaseUrl)
    await addUser(databaseUrl, 'office@school.example', 'administrator')
    let token = await logInAt(server, 'office@school.example')
    const send = (method: string, path: string, body?: object, headers = {}) =>
      sendTo(server, token, method, path, body, headers)
    await send('POST', '/api/roles', { name: 'Class teacher', permissions: ['students.view'] })
    await send('POST', '/api/fields', { label: 'House', kind: 'text' })
    await send('POST', '/api/students', { name: 'Ada', admission_number: 'A', class_id: 1 })
    await runWell(['backup', backup], { databaseUrl })

    const changeAll = async (text: string) => {
      const tags: string[] = []
      for (const [path, change] of records) {
        const { status, headers } = await send('PATCH', path, change(text), { 'if-match': '*' })
        assert.equal(status, 200, path)
        tags.push(headers.get('etag')!)
      }
      return tags
    }
    const lost = await changeAll('Lost')
    await server.end('SIGTERM')
    await runWell(['restore', backup], { databaseUrl })
    server = await startServer(databaseUrl)
    token = await logInAt(server, 'office@school.example')
    const kept = await changeAll('Kept')

    for (const [i, [path, change]] of records.entries()) {
      assert.notEqual(lost[i], kept[i], path)
      assert.equal((await send('GET', path, undefined, { 'if-none-match': lost[i]! })).status, 200, path)
      assert.equal((await send('GET', path, undefined, { 'if-none-match': kept[i]! })).status, 304, path)
      assert.equal((await send('PATCH', path, change('X'), { 'if-match': lost[i]! })).status, 412, path)
    }
  })
})

type Tagged = 'students' | 'classes' | 'fields' | 'field_changes' | 'users' | 'roles'

describe('the entity tag of a record', () => {
  it('tells versions of the same number apart by when they were made: its own, its class’s, its fields’, its roles’', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const { id: userId } = await school.person('viewer')
    const field = await school.post('/api/fields', { label: 'House', kind: 'text' }, admin)
    const id = await school.student(admin, { class_id: 3, fields: { house: 'Oak' } })
    const role = { name: 'Class teacher', permissions: ['students.view'] }
    const { body } = await school.post('/api/roles', role, admin)
    const shown: [path: string, table: Tagged, where: string][] = [
      [`/api/students/${id}`, 'students', `id = ${id}`],
      [`/api/students/${id}`, 'classes', 'id = 3'],
      [`/api/students/${id}`, 'field_changes', 'id = 1'],
      [`/api/fields/${field.body.data.id}`, 'fields', `id = ${field.body.data.id}`],
      ['/api/classes/3', 'classes', 'id = 3'],
      [`/api/users/${userId}`, 'users', `id = ${userId}`],
      [`/api/users/${userId}`, 'roles', "name = 'viewer'"],
      [`/api/roles/${body.data.id}`, 'roles', `id = ${body.data.id}`],
    ]
    for (const [i, [path, table, where]] of shown.entries()) {
      const { headers } = await school.get(path, admin)
      const tag = String(headers.etag)
      assert.ok(tag.length <= 100, tag)
      const other = instantAfter(school.now(), i + 1)
      await write(school.db, byTest, (db) =>
        sql`update ${sql.table(table)} set updated_at = ${other} where ${sql.raw(where)}`.execute(db),
      )
      const again = await school.send('GET', path, { as: admin, headers: { 'if-none-match': tag } })
      assert.equal(again.status, 200, `${path}, ${table}`)
      const change = { as: admin, body: {}, headers: { 'if-match': tag } }
      assert.equal((await school.send('PATCH', path, change)).status, 412, `${path}, ${table}`)
    }
  })

  it('stays short where an account holds many roles', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const { id } = await school.person()
    const names = Array.from({ length: 30 }, (_, i) => `Role ${i}`)
    const roles = []
    for (const name of names) {
      const { body } = await school.post('/api/roles', { name, permissions: [] }, admin)
      roles.push({ role_id: body.data.id, class_ids: null })
    }
    const change = { as: admin, body: { roles }, headers: { 'if-match': '*' } }
    const { status, headers } = await school.send('PUT', `/api/users/${id}/roles`, change)
    assert.equal(status, 200)
    assert.match(String(headers.etag), /^"[\w-]{43}"$/)
    const same = { as: admin, headers: { 'if-none-match': String(headers.etag) } }
    assert.equal((await school.send('GET', `/api/users/${id}`, same)).status, 304)
  })
})

async function sendTo(
  { url }: Pick<ServerProcess, 'url'>,
  token: string,
  method: string,
  path: string,
  body: object | undefined,
  headers: Readonly<Record<string, string>>,
) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await answer.text()
  return answer
}
