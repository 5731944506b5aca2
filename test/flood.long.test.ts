import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { password } from './command.ts'
import { type ServerProcess, startServer } from './server.ts'

interface Answer {
  readonly status: number
  readonly retryAfter: number
}

const isHashed = ({ status }: Answer) => status === 200 || status === 401

/** What is promised in milliseconds is asserted in hashes: whose turn it is does not depend on the machine. */
describe('a flood of logins', () => {
  const flooders = 300
  let server: ServerProcess

  /** Logs in as the client of this address, as a proxy tells it. */
  async function logIn(from: string, email: string, typed = password): Promise<Answer> {
    const answer = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ email, password: typed }),
    })
    await answer.arrayBuffer()
    return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) }
  }

  /** Logs in as a patient client does on a machine that is overloaded anyway. */
  async function getIn(from: string, email: string): Promise<void> {
    for (;;) {
      const { status } = await logIn(from, email)
      if (status === 200) return
      assert.equal(status, 503)
    }
  }

  interface Flood {
    readonly answers: readonly Answer[]
    /** How many of the flood's attempts are hashed while this is done. */
    hashedDuring(work: () => Promise<unknown>): Promise<number>
  }

  /** So many clients that never pause, half of them with the right password, while `others` do their work. */
  async function withFlood(
    addresses: readonly string[],
    others: (flood: Flood) => Promise<void>,
  ): Promise<void> {
    const answers: Answer[] = []
    let over = false
    const clients = Array.from({ length: flooders }, async (_, i) => {
      while (!over) {
        const typed = i % 2 === 0 ? 'a wrong password' : password
        answers.push(await logIn(addresses[i % addresses.length]!, `pupil${i % 30}@school.example`, typed))
      }
    })
    try {
      while (!answers.some(({ status }) => status >= 429)) await fetch(`${server.url}/api/health`)
      await others({
        answers,
        async hashedDuring(work) {
          const before = answers.filter(isHashed).length
          await work()
          return answers.filter(isHashed).length - before
        },
      })
    } finally {
      over = true
      await Promise.all(clients)
    }
  }

  before(async () => {
    server = await startServer(undefined, { TRUST_PROXY: '1' })
    for (let i = 0; i < 30; i++) {
      const body = { name: 'Pupil', email: `pupil${i}@school.example`, password }
      const answer = await fetch(`${server.url}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      assert.equal(answer.status, 201)
    }
  })

  it('holds up neither the health check nor who logs in elsewhere, and is told to come back later', async () => {
    await withFlood(['192.0.2.1'], async ({ answers, hashedDuring }) => {
      for (let i = 0; i < 5; i++) {
        assert.equal((await fetch(`${server.url}/api/health`)).status, 200)
        const hashed = await hashedDuring(() => getIn(`198.51.100.${i}`, `pupil${i}@school.example`))
        // Some were hashed before it came, and are answered late on a busy machine: ten were once.
        assert.ok(hashed < 20, `${hashed} of the flood came first`)
      }
      const excess = answers.filter((answer) => !isHashed(answer))
      assert.deepEqual(
        excess.filter(({ status, retryAfter }) => ![429, 503].includes(status) || !(retryAfter >= 1)),
        [],
      )
    })
  })

  it('keeps no classroom behind one address from logging in', async () => {
    await withFlood(['192.0.2.2'], async ({ hashedDuring }) => {
      const hashed = await hashedDuring(() =>
        Promise.all(Array.from({ length: 30 }, (_, i) => getIn('203.0.113.1', `pupil${i}@school.example`))),
      )
      assert.ok(hashed < 100, `${hashed} of the flood came first`)
    })
  })

  it('is borne from two hundred addresses too, and over when it is over', async () => {
    const addresses = Array.from({ length: 200 }, (_, i) => `192.0.2.${i + 50}`)
    await withFlood(addresses, async () => {
      assert.equal((await fetch(`${server.url}/api/health`)).status, 200)
    })
    await getIn('198.51.100.200', 'pupil1@school.example')
  })
})
