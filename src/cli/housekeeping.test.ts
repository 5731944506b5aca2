import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { createStudentAt } from '../../test/calls.ts'
import { engine } from '../../test/engine.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { firstAdministrator, startServer } from '../../test/server.ts'
import { insertSessions } from '../../test/session-rows.ts'
import { instantAfter } from '../access/clock.ts'
import { findSigningKeys, insertSigningKey } from '../access/signing-keys.ts'
import { write } from '../events/write.ts'
import { keepHouse, startHousekeeping } from './housekeeping.ts'

const expired = 3_500

async function openWithExpiredSessions(count = expired): Promise<School> {
  const school = await openSchool()
  await insertSessions(school, await school.person(), count, instantAfter(school.now(), -count - 1_000))
  return school
}

describe('housekeeping', () => {
  it('keeps a signing key as long as a token lives that it signed, and no longer; the newest always', async () => {
    const ttl = 600
    const school = await openSchool({ env: { TOKEN_TTL: String(ttl) } })
    const keep = () => keepHouse(school.db, () => school.now(), ttl)
    const keys = async () => (await findSigningKeys(school.db)).map(({ kid }) => kid)
    const rotate = () =>
      write(school.db, { command: 'test' }, (db) => insertSigningKey(db, school.now().toISOString()))
    const isAlive = async ({ token }: Person) => (await school.get('/api/auth/me', token)).status === 200
    const [first] = await keys()
    school.passSeconds(86_400)
    await keep()
    assert.deepEqual(await keys(), [first], 'however old the newest is')

    const last = await school.person() // signed by the first key, at the moment of the next
    const second = await rotate()
    school.passSeconds(300)
    const third = await rotate()
    school.passSeconds(299)
    await keep()
    assert.deepEqual(await keys(), [third, second, first])
    assert.ok(await isAlive(last), 'a second before it expires')

    school.passSeconds(2)
    await keep()
    assert.deepEqual(await keys(), [third, second])
    assert.equal(await isAlive(last), false)
    school.passSeconds(298)
    await keep()
    assert.deepEqual(await keys(), [third, second])
    school.passSeconds(2)
    await keep()
    assert.deepEqual(await keys(), [third])
  })

  it('works on until nothing is left', async () => {
    const school = await openWithExpiredSessions()
    await keepHouse(school.db, () => school.now(), 600)
    assert.equal(await school.count('sessions'), 1)
  })

  it('ends after the portion in which it is stopped: a server that shuts down does not wait for it', async () => {
    const school = await openWithExpiredSessions()
    let work = Promise.resolve()
    const stop = startHousekeeping(
      (signal) => {
        work = keepHouse(school.db, () => school.now(), 600, signal)
        return work
      },
      (error) => assert.fail(String(error)),
    )
    stop()
    await work
    assert.equal(await school.count('sessions'), 1 + expired - 1_000)
  })

  it('that fails is told by the log, and the server goes on', async () => {
    const { databaseUrl, db } = await openWithExpiredSessions()
    const keeps =
      engine === 'sqlite'
        ? [`create trigger keeps before delete on sessions begin select raise(abort, 'kept'); end`]
        : [
            `create function keeps() returns trigger language plpgsql as $$ begin raise 'kept'; end $$`,
            'create trigger keeps before delete on sessions for each row execute function keeps()',
          ]
    await write(db, { command: 'test' }, async (db) => {
      for (const statement of keeps) await sql.raw(statement).execute(db)
    })
    const server = await startServer(databaseUrl)
    assert.equal((await createStudentAt(server, await firstAdministrator(server), 'after')).status, 201)
    assert.equal(await server.end('SIGTERM'), 0)
    const told = server.log.filter((line) => line.includes('housekeeping'))
    const failure = JSON.parse(told[0] ?? '{}')
    assert.deepEqual([told.length, failure.level, failure.fault], [1, 'error', 'kept'])
  })

  it('holds up no server that is told to stop, however much is left', async () => {
    const school = await openWithExpiredSessions(100_000)
    const server = await startServer(school.databaseUrl)
    assert.equal(await server.end('SIGTERM'), 0)
    assert.ok((await school.count('sessions')) > 1, 'it was done before the end')
    assert.ok(!server.log.some((line) => line.includes('housekeeping')))
  })
})
