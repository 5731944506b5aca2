import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { runCommand, runWell } from '../../test/command.ts'
import { revokeAll } from '../../test/grants.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { startServer } from '../../test/server.ts'
import { keepHouse } from '../cli/housekeeping.ts'
import { write } from '../events/write.ts'
import { insertGrant } from '../roles/queries.ts'
import { countNeverGranted } from './removal.ts'

const day = 86_400

describe('DELETE /api/users/{id}', () => {
  let school: School
  let admin: Person
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
  })
  const remove = (id: number, tag: string | undefined = '*') =>
    school.send('DELETE', `/api/users/${id}`, {
      as: admin,
      headers: tag === undefined ? {} : { 'if-match': tag },
    })

  it('removes an account that was never granted anything: its tokens are dead, its address is free', async () => {
    const stranger = await school.person()
    assert.equal((await school.login(stranger.email)).status, 200)
    const { status, body } = await remove(stranger.id)
    assert.deepEqual([status, body], [200, { success: true, message: 'The account is deleted' }])
    assert.equal((await school.get('/api/auth/me', stranger)).body.code, 'token_invalid')
    assert.equal((await school.get(`/api/users/${stranger.id}`, admin)).body.code, 'user_not_found')
    const again = { name: 'Anna Berg', email: stranger.email, password: 'a long enough password' }
    const { body: registered } = await school.post('/api/auth/register', again)
    assert.ok(registered.data.user_id > stranger.id)
    assert.deepEqual([(await remove(999_999)).status, (await remove(stranger.id)).status], [404, 404])
  })

  it('keeps one that holds a role, or held one, and says what to do instead', async () => {
    const revoked = await school.person('viewer')
    await revokeAll(school, revoked)
    const roles = (id: number, held: object[]) =>
      school.send('PUT', `/api/users/${id}/roles`, {
        as: admin,
        body: { roles: held },
        headers: { 'if-match': '*' },
      })
    const overApi = await school.person()
    assert.equal((await roles(overApi.id, [{ role_id: 3, class_ids: [3] }])).status, 200)
    assert.equal((await roles(overApi.id, [])).status, 200)
    for (const { id } of [await school.person('viewer'), revoked, overApi, admin]) {
      const { status, body } = await remove(id)
      assert.deepEqual([status, body.code], [409, 'user_in_use'])
      assert.match(body.detail, /user disable/)
      assert.equal((await school.get(`/api/users/${id}`, admin)).status, 200)
    }
  })

  it('asks which version is meant', async () => {
    const { id } = await school.person()
    const tag = String((await school.get(`/api/users/${id}`, admin)).headers.etag)
    const bare = await school.send('DELETE', `/api/users/${id}`, { as: admin })
    assert.deepEqual([bare.status, bare.body.code], [428, 'precondition_required'])
    assert.equal((await remove(id, '"7"')).status, 412)
    assert.equal((await remove(id, tag)).status, 200)
  })

  it('and a grant at the same moment: one of them comes first', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await school.person()
      const granting = write(school.db, byTest, (db) =>
        insertGrant(db, id, 'viewer', school.now().toISOString()),
      )
      const [granted, removed] = await Promise.allSettled([granting, remove(id)])
      const status = removed.status === 'fulfilled' && removed.value.status
      assert.equal(status, granted.status === 'fulfilled' ? 409 : 200)
    }
  })
})

describe('housekeeping of accounts', () => {
  it('removes those that were never granted anything and are idle for 30 days', async () => {
    const school = await openSchool()
    const keep = () => keepHouse(school.db, () => school.now(), 600)
    const exists = async ({ id }: Person) => {
      const query = school.db.selectFrom('users').select('id').where('id', '=', id)
      return (await query.executeTakeFirst()) !== undefined
    }
    const [idle, busy, disabled] = [await school.person(), await school.person(), await school.person()]
    const [viewer, revoked] = [await school.person('viewer'), await school.person('viewer')]
    await revokeAll(school, revoked)
    await write(school.db, byTest, async (db) => {
      const disabled_at = school.now().toISOString()
      await db.updateTable('users').set({ disabled_at }).where('id', '=', disabled.id).execute()
    })
    assert.equal(await countNeverGranted(school.db), 3)

    school.passSeconds(20 * day)
    assert.equal((await school.login(busy.email)).status, 200)
    school.passSeconds(10 * day - 1)
    await keep()
    assert.equal(await school.count('users'), 5)
    school.passSeconds(1)
    await keep()
    const people = [idle, busy, disabled, viewer, revoked]
    assert.deepEqual(await Promise.all(people.map(exists)), [false, true, true, true, true])
    school.passSeconds(20 * day)
    await keep()
    assert.deepEqual(await Promise.all(people.map(exists)), [false, false, true, true, true])
  })

  it('goes in slices until none is left', async () => {
    const school = await openSchool()
    const now = school.now().toISOString()
    const user = (i: number) => ({
      ...{ name: 'x', email: `idle${i}@school.example`, password_hash: 'x' },
      ...{ created_at: now, updated_at: now, idle_since: now },
    })
    const users = Array.from({ length: 250 }, (_, i) => user(i))
    await write(school.db, byTest, (db) => db.insertInto('users').values(users).execute())
    school.passSeconds(31 * day)
    await keepHouse(school.db, () => school.now(), 600)
    assert.equal(await school.count('users'), 0)
  })
})

describe('how many accounts were never granted anything', () => {
  it('is said at the start and by check, and user remove removes one', async () => {
    const { databaseUrl, log, end } = await startServer()
    assert.ok(!log.some((line) => line.includes('never granted')), log.join('\n'))
    await end('SIGTERM')
    const add = (email: string, ...role: string[]) =>
      runWell(['user', 'add', '--email', email, '--name', 'Anna', ...role], {
        databaseUrl,
        stdin: 'a long enough password\n',
      })
    await add('one@school.example')
    await add('two@school.example')
    await add('head@school.example', '--role', 'administrator')
    const again = await startServer(databaseUrl)
    const line = again.log.find((line) => line.includes('2 accounts were never granted a role'))
    assert.ok(line, again.log.join('\n'))
    const { stdout } = await runWell(['check'], { databaseUrl })
    assert.match(stdout, /\n2 accounts were never granted a role; they go after 30 days without a login\.\n/)

    const removed = await runWell(['user', 'remove', ' One@school.example'], { databaseUrl })
    assert.equal(removed.stdout, 'Removed the account one@school.example.\n')
    assert.equal((await runWell(['check', '--json'], { databaseUrl })).json().never_granted, 1)
    const kept = await runCommand(['user', 'remove', 'head@school.example'], { databaseUrl })
    assert.deepEqual([kept.status, kept.stdout], [1, ''])
    assert.match(kept.stderr, /^The account holds or held a role, so it stays\./)
    assert.equal((await runCommand(['user', 'remove', 'one@school.example'], { databaseUrl })).status, 1)
  })
})
