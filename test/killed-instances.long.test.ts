import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { call, createStudentAt, logInAt } from './calls.ts'
import { atEnd } from './cleanup.ts'
import { password, runWell } from './command.ts'
import { onlyOn } from './engine.ts'
import { makeTemplate, PostgresServer } from './postgres.ts'
import { firstAdministrator, type ServerProcess, startServer } from './server.ts'

const clerk = 'clerk@school.example'

/** What an instance answered, and which requests it may have done without an answer. */
interface Answered {
  readonly created: Map<string, number>
  readonly loggedOut: string[]
  readonly unanswered: string[]
}

describe('instances on one PostgreSQL, of which one is killed under load', onlyOn('postgres'), () => {
  let postgres: PostgresServer
  let other: ServerProcess
  let token: string
  before(async () => {
    postgres = await PostgresServer.start(['wal_writer_delay=10s']) // what is not flushed by a commit is lost in a crash
    atEnd(() => postgres.remove())
    await makeTemplate(postgres, 'school')
    other = await startServer(postgres.url('school'))
    token = await firstAdministrator(other)
    const body = { name: 'Clerk', email: clerk, password }
    assert.equal((await call(other, 'POST', '/api/auth/register', { body })).status, 201)
    await runWell(['user', 'grant', clerk, 'viewer', '--yes'], { databaseUrl: other.databaseUrl })
  })

  /** Creates students and logs out at an instance until some of both are answered; then something breaks it. */
  async function broken(
    server: ServerProcess,
    round: number,
    breakIt: () => Promise<unknown>,
  ): Promise<Answered> {
    const sessions: string[] = []
    while (sessions.length < 12) sessions.push(await logInAt(server, clerk))
    const answered: Answered = { created: new Map(), loggedOut: [], unanswered: [] }
    let breaking: Promise<unknown> | undefined
    let isBroken = false
    const breakWhenDue = () => {
      if (answered.loggedOut.length > round && answered.created.size > 0)
        breaking ??= breakIt().finally(() => (isBroken = true))
    }
    const create = async (client: number) => {
      for (let i = 0; !isBroken; i++) {
        const number = `${round}-${client}-${i}`
        const answer = await createStudentAt(server, token, number).catch(() => undefined)
        if (answer?.status === 201) answered.created.set(number, answer.body.data.id)
        else assert.ok(answer === undefined || answer.status === 503, `${answer?.status}`)
        breakWhenDue()
      }
    }
    const logOut = async () => {
      for (let session = sessions.pop(); session !== undefined; session = sessions.pop()) {
        const answer = await call(server, 'POST', '/api/auth/logout', { token: session }).catch(
          () => undefined,
        )
        answered[answer?.status === 200 ? 'loggedOut' : 'unanswered'].push(session)
        breakWhenDue()
      }
    }
    await Promise.all([...[1, 2, 3, 4, 5, 6].map(create), logOut(), logOut()])
    await breaking
    return answered
  }

  /** Everything that was answered holds at another instance. */
  async function holds({ created, loggedOut, unanswered }: Answered, at: ServerProcess): Promise<void> {
    const me = async (session: string) => (await call(at, 'GET', '/api/auth/me', { token: session })).status
    for (const session of loggedOut) assert.equal(await me(session), 401)
    for (const session of unanswered) assert.ok([200, 401].includes(await me(session)))
    for (const [number, id] of created) {
      const { status, body } = await call(at, 'GET', `/api/students/${id}`, { token })
      assert.deepEqual([status, body.data?.admission_number], [200, number])
    }
  }

  it('know every logout and every student that it answered, at once', async () => {
    let [logouts, students] = [0, 0]
    for (let round = 0; round < 6; round++) {
      const server = await startServer(other.databaseUrl)
      const answered = await broken(server, round, () => server.end('SIGKILL'))
      await holds(answered, other)
      logouts += answered.loggedOut.length
      students += answered.created.size
    }
    assert.ok(logouts >= 21 && students > 0, `${logouts} logouts, ${students} students`)
  })

  it('know all of that after a crash of PostgreSQL, too', async () => {
    for (let round = 6; round < 9; round++) {
      const answered = await broken(other, round, () => postgres.stop('immediate'))
      await postgres.startAgain()
      while ((await call(other, 'GET', '/api/health')).status !== 200);
      await holds(answered, other)
      assert.ok(answered.loggedOut.length > round && answered.created.size > 0)
    }
  })
})
