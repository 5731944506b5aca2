// Measures times: few files run beside it.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { hash } from '@node-rs/argon2'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { updatePasswordHash } from '../users/queries.ts'

/** What a call takes where nothing else delays it: a busy machine makes single calls longer, none shorter. */
const least = (times: number[]) => Math.min(...times)

describe('how long POST /api/auth/login takes', () => {
  let school: School
  let person: Person
  before(async () => {
    school = await openSchool()
    person = await school.person()
  })

  it('takes as long for an unknown address as for a wrong password', async () => {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let i = 0; i < 20; i++) {
      for (const who of ['known', 'unknown'] as const) {
        const email = who === 'known' ? person.email : `unknown${i}@school.example`
        const from = `192.0.2.${i + 1}`
        const started = performance.now()
        await school.send('POST', '/api/auth/login', { body: { email, password: 'wrong password' }, from })
        times[who].push(performance.now() - started)
      }
    }
    const ratio = least(times.known) / least(times.unknown)
    // Without the hash of a made-up password it is 4 and more.
    assert.ok(ratio > 1 / 3 && ratio < 3, `they differ: ${ratio}`)
  })

  it('refuses an over-long password without the work of hashing it', async () => {
    // So dear a hash that its work stands out, however busy the machine is.
    const dear = await hash('another password', { algorithm: 2, memoryCost: 65_536, timeCost: 8 })
    await write(school.db, byTest, (db) => updatePasswordHash(db, person.id, dear, new Date().toISOString()))
    const timeOf = async (password: string, i: number) => {
      const started = performance.now()
      const body = { email: person.email, password }
      const { status } = await school.send('POST', '/api/auth/login', { body, from: `198.51.100.${i}` })
      assert.equal(status, 401)
      return performance.now() - started
    }
    const hashed: number[] = []
    const overLong: number[] = []
    for (let i = 0; i < 4; i++) {
      hashed.push(await timeOf('x'.repeat(256), i))
      overLong.push(await timeOf('x'.repeat(257), 100 + i))
    }
    assert.ok(least(overLong) < least(hashed) / 2, `${least(overLong)} ms against ${least(hashed)} ms`)
  })
})
