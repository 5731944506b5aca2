import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSchool, type School } from '../../test/school.ts'
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
