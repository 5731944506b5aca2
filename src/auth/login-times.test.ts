// Measures times: few files run beside it.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSchool, type Person, type School } from '../../test/school.ts'

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

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
    const ratio = median(times.known) / median(times.unknown)
    // Without the hash of a made-up password it is 4 and more; a busy machine alone makes it 1.4.
    assert.ok(ratio > 0.5 && ratio < 2, `medians differ: ${ratio}`)
  })

  it('refuses an over-long password without the work of hashing it', async () => {
    const timeOf = async (password: string, i: number) => {
      const started = performance.now()
      const body = { email: person.email, password }
      const { status } = await school.send('POST', '/api/auth/login', { body, from: `198.51.100.${i}` })
      assert.equal(status, 401)
      return performance.now() - started
    }
    const hashed: number[] = []
    const overLong: number[] = []
    for (let i = 0; i < 9; i++) {
      hashed.push(await timeOf('x'.repeat(256), i))
      overLong.push(await timeOf('x'.repeat(257), 100 + i))
    }
    assert.ok(median(overLong) < median(hashed) / 2, `${median(overLong)} ms against ${median(hashed)} ms`)
  })
})
