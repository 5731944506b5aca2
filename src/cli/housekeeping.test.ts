import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { findSigningKeys, insertSigningKey } from '../access/signing-keys.ts'
import { write } from '../events/write.ts'
import { keepHouse, startHousekeeping } from './housekeeping.ts'

const expired = 3_500

async function openWithExpiredSessions(): Promise<School> {
  const school = await openSchool()
  const { id } = await school.person()
  const past = new Date(school.now().getTime() - 1_000).toISOString()
  const session = () => ({
    key: crypto.getRandomValues(new Uint8Array(32)),
    user_id: id,
    created_at: past,
    expires_at: past,
  })
  await write(school.db, { command: 'test' }, async (db) => {
    for (let i = 0; i < expired / 500; i++)
      await db
        .insertInto('sessions')
        .values(Array.from({ length: 500 }, session))
        .execute()
  })
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
})
