import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import pg from 'pg'
import { atEnd } from '../../test/cleanup.ts'
import { runCommand } from '../../test/command.ts'
import { onlyOn } from '../../test/engine.ts'
import { makeTemplate, PostgresServer, runSql } from '../../test/postgres.ts'
import { PostgresProxy } from '../../test/postgres-proxy.ts'
import { rulesFile } from '../../test/postgres-rules.ts'
import { openSchool } from '../../test/school.ts'

/** Whom the server asks for a password: everybody but its superuser, and two whom it knows without one. */
const rules = `
host all postgres 127.0.0.1/32 trust
host all stranger 127.0.0.1/32 trust
host all barred   127.0.0.1/32 reject
host all all      127.0.0.1/32 scram-sha-256
`

describe('a PostgreSQL that asks for passwords', onlyOn('postgres'), () => {
  let postgres: PostgresServer
  let proxy: PostgresProxy

  before(async () => {
    postgres = await PostgresServer.start([`hba_file=${rulesFile(rules)}`])
    atEnd(() => postgres.remove())
    await makeTemplate(postgres, 'school')
    const role = "login superuser password 'right'"
    await runSql(postgres.url('school'), `create role clerk ${role}`, `create role barred ${role}`)
    proxy = await PostgresProxy.start(postgres.url('school'))
  })

  /** The URL by which a role reaches a database by way of the proxy. */
  function urlOf(login: string, database = 'school'): string {
    return `postgres://${login}@127.0.0.1:${new URL(proxy.url).port}/${database}`
  }

  const refused: readonly [what: string, login: string, database: string, says: RegExp][] = [
    [
      'no password',
      'clerk',
      'school',
      /^PostgreSQL at \S+ asks for a password, and there is none\. .+PGPASSWORD/,
    ],
    [
      'a wrong password',
      'clerk:wrong',
      'school',
      /refuses: password authentication failed .+\. Correct .+ in the URL\.$/m,
    ],
    ['an odd password', 'clerk:r%69g%68%%', 'school', /Correct .+ percent-encoded/],
    ['a % that encodes nothing', 'clerk:%ff', 'school', /holds a % that encodes nothing/],
    ['an unknown role', 'stranger', 'school', /refuses: role "stranger" does not exist\. Make the role/],
    [
      'a role that may not log in',
      'barred:right',
      'school',
      /refuses: pg_hba\.conf rejects .+ says who may log in/,
    ],
    [
      'an unknown database',
      'clerk:right',
      'absent',
      /refuses: database "absent" does not exist\. Make the database/,
    ],
  ]
  for (const [what, login, database, says] of refused) {
    it(`ends the server and each command at once that come with ${what}, by a sentence`, async () => {
      const databaseUrl = urlOf(login, database)
      proxy.mostOpen = 0
      const opened = proxy.opened
      for (const command of [['serve'], ['user', 'list'], ['migrate']]) {
        const began = performance.now()
        const { status, stdout, stderr } = await runCommand(command, { databaseUrl })
        assert.deepEqual([status, stdout], [1, ''], stderr)
        assert.match(stderr, /^[^\n]+\n$/)
        assert.match(stderr, says)
        assert.ok(performance.now() - began < 10_000)
      }
      assert.ok(proxy.mostOpen <= 1 && proxy.opened - opened <= 3, `${proxy.opened - opened} connections`)
    })
  }

  it('answers a server whose password was changed, which goes on with the connections that it has', async () => {
    const school = await openSchool({ databaseUrl: urlOf('clerk:right') })
    const isHealthy = async () => (await school.get('/api/health')).status === 200
    await Promise.all(Array.from({ length: 20 }, isHealthy))
    await runSql(postgres.url('school'), "alter role clerk password 'new'")
    const locker = new pg.Client({ connectionString: postgres.url('school') })
    atEnd(() => locker.end())
    await locker.connect()
    await locker.query('begin; lock table classes in access exclusive mode')
    const viewer = await school.person('viewer')
    const opened = proxy.opened
    const waiting = school.get('/api/classes', viewer)
    while (proxy.opened < opened + 2) assert.ok(await isHealthy()) // the database is asked whether it is there
    await locker.query('rollback')
    assert.equal((await waiting).status, 200)

    await runSql(
      postgres.url('school'),
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'clerk'",
    )
    proxy.mostOpen = 0
    for (let i = 0; i < 20; i++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => school.get('/api/classes', viewer)))
      assert.ok(answers.every(({ status }) => status === 503))
      assert.equal((await school.get('/api/health')).status, 503)
    }
    // Eleven are open at once; one that was refused counts until it is closed. A storm would be hundreds.
    assert.ok(proxy.mostOpen <= 22, `${proxy.mostOpen} connections`)
    await runSql(postgres.url('school'), "alter role clerk password 'right'")
    while (!(await isHealthy()));
  })
})
