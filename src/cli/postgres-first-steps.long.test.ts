// Runs once, on PostgreSQL servers of its own.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { atEnd, temporaryFolder } from '../../test/cleanup.ts'
import { runCommand, runWell } from '../../test/command.ts'
import { PostgresServer, runSql } from '../../test/postgres.ts'
import { passwords, postgresServers, runInit } from '../../test/postgres-init.ts'
import { rulesFile } from '../../test/postgres-rules.ts'
import { startServer } from '../../test/server.ts'

const rules = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'
const owner = 'the role that owns the database \\(registrar_owner of deploy/postgres-init\\.sql\\)'

for (const { name, bin, skip } of postgresServers) {
  describe(`the first steps on ${name}`, { skip }, () => {
    let server: PostgresServer
    const source = `sqlite:${join(temporaryFolder(), 'registrar.db')}`

    before(async () => {
      server = await PostgresServer.start([`hba_file=${rulesFile(rules)}`], bin)
      atEnd(() => server.remove())
      assert.equal(runInit(server.url('postgres')).status, 0)
      await runWell(['migrate'], { databaseUrl: source })
    })

    function urlOf(role: 'registrar' | 'registrar_owner', encode = encodeURIComponent): string {
      const password = passwords[role === 'registrar' ? 'server_password' : 'owner_password']
      return server.url('registrar').replace('postgres@', `${role}:${encode(password)}@`)
    }

    /** What a command says that must fail, in one line; `copy` has the source that is there. */
    async function refusal(args: readonly string[], databaseUrl: string): Promise<string> {
      const all = args[0] === 'copy' ? ['copy', '--from', source, '--to', databaseUrl] : args
      const { status, stdout, stderr } = await runCommand(all, { databaseUrl })
      assert.deepEqual([status, stdout], [1, ''], stderr)
      const told = stderr.replace(
        /^(The configuration has a fault:\n {2}|Faults:\n {2}|platform: 1 of 1\n)/,
        '',
      )
      const [said, ...more] = told.split('\n')
      assert.deepEqual(more, [''], stderr)
      return said!
    }

    it('say of serve before migrate who makes the schema', async () => {
      const databaseUrl = urlOf('registrar')
      const place = new URL(databaseUrl).host
      assert.match(
        await refusal(['serve'], databaseUrl),
        new RegExp(
          `^The database ${place}/registrar holds no schema yet, and the role in DATABASE_URL may not make it\\. Run \\./registrar\\.js migrate with ${owner} in DATABASE_URL, and start again\\.$`,
        ),
      )
      assert.equal(
        await refusal(['user', 'list'], databaseUrl),
        'The database holds no schema yet. Run: ./registrar.js migrate',
      )
      assert.equal(
        await refusal(['check'], databaseUrl),
        'schema: it holds no schema yet; run: ./registrar.js migrate',
      )
    })

    it('say of migrate and copy as the role that serves whose they are', async () => {
      const said = new RegExp(
        `^PostgreSQL refuses: permission denied for schema public\\. Put ${owner} into the URL\\.$`,
      )
      for (const command of ['migrate', 'copy'])
        assert.match(await refusal([command], urlOf('registrar')), said)
      await runWell(['migrate'], { databaseUrl: urlOf('registrar_owner') })
      assert.match(
        await refusal(['copy'], urlOf('registrar')),
        new RegExp(`PostgreSQL refuses: must be owner of table users\\. Put ${owner} into the URL\\.$`),
      )
    })

    it('say of a wrong password, and of none, what to do, to every command', async () => {
      const wrong = server.url('registrar').replace('postgres@', 'registrar:wrong@')
      const none = wrong.replace(':wrong', '')
      for (const args of [['serve'], ['check'], ['migrate'], ['user', 'list'], ['copy']]) {
        assert.match(
          await refusal(args, wrong),
          /PostgreSQL at \S+ refuses: password authentication failed for user "registrar"\. Correct the role and its password in the URL\.$/,
        )
        assert.match(
          await refusal(args, none),
          /asks for a password, and there is none\. Write it into the URL/,
        )
      }
    })

    it('say of a password that is not percent-encoded how it is written, and nothing of it', async () => {
      for (const role of ['registrar', 'registrar_owner'] as const) {
        for (const args of [['serve'], ['check'], ['migrate'], ['user', 'list'], ['copy']]) {
          const said = await refusal(args, urlOf(role, String))
          assert.match(
            said,
            /(DATABASE_URL|--to) can't be read as postgres:\/\/user:password@host:port\/database\. Percent-encode every character of the user name and the password but letters and digits: @ is %40, \/ is %2F, # is %23, \? is %3F\.$/,
          )
          assert.doesNotMatch(said, /12\/3|own'er/)
        }
      }
    })

    it('say of tables that the role may not read what their owner grants', async () => {
      await runSql(server.url('registrar'), 'revoke all on all tables in schema public from registrar')
      const said =
        /PostgreSQL refuses: permission denied for table \w+\. As the owner of the tables, run: grant select, insert, update, delete on all tables in schema public to the role in the URL\.$/
      for (const args of [['serve'], ['check'], ['user', 'list']])
        assert.match(await refusal(args, urlOf('registrar')), said)
      await runSql(
        server.url('registrar'),
        'set role registrar_owner',
        'grant select, insert, update, delete on all tables in schema public to registrar',
      )
      const serving = await startServer(urlOf('registrar'))
      assert.equal(await serving.end('SIGTERM'), 0)
    })

    it('say of a schema that the role may not use what its owner grants', async () => {
      await runSql(server.url('registrar'), 'revoke usage on schema public from registrar, public')
      for (const args of [['serve'], ['check'], ['migrate'], ['user', 'list'], ['copy']])
        assert.equal(
          (await refusal(args, urlOf('registrar'))).replace('schema: ', ''),
          'The role in the URL may use no schema of the database. As the owner of the database, run: grant usage on schema public to the role in the URL.',
        )
      await runSql(server.url('registrar'), 'grant usage on schema public to registrar, public')
      await runWell(['check'], { databaseUrl: urlOf('registrar') })
    })

    it('say of a PostgreSQL that is not there where it was looked for', async () => {
      const databaseUrl = 'postgres://registrar@127.0.0.1:1/registrar'
      assert.match(
        await refusal(['check'], databaseUrl),
        /^database: PostgreSQL at 127\.0\.0\.1:1\/registrar can't be reached: .*ECONNREFUSED.*\. Start it, or correct DATABASE_URL\.$/,
      )
    })

    it('refuse a database whose tables are another program’s, and change nothing', async () => {
      for (const [database, tables, ...statements] of [
        ['shop', 'orders, users', 'create table users (id int)', 'create table orders (id int)'],
        [
          'rails',
          'schema_migrations',
          'create table schema_migrations (version text)',
          "insert into schema_migrations values ('1')",
        ],
        ['sums', 'schema_migrations', 'create table schema_migrations (name text, checksum text)'],
        ['views', 'students', 'create view students as select 1 as id'],
      ] as const) {
        await runSql(server.url('postgres'), `create database ${database}`)
        const databaseUrl = server.url(database)
        await runSql(databaseUrl, ...statements)
        for (const args of [['serve'], ['check'], ['migrate'], ['user', 'list'], ['copy']])
          assert.equal(
            (await refusal(args, databaseUrl)).replace('schema: ', ''),
            `The database holds tables that are not Registrar's (${tables}). Give Registrar a database of its own: name another one in the URL.`,
          )
        const left = "select relname from pg_class where relnamespace = 'public'::regnamespace order by 1"
        const names = (await runSql(databaseUrl, left)).map(({ relname }) => relname)
        assert.equal(names.join(', '), tables)
      }
    })

    it('take a database with tables of extensions and of other schemas', async () => {
      await runSql(server.url('postgres'), 'create database shared')
      const databaseUrl = server.url('shared')
      await runSql(
        databaseUrl,
        'create schema auth',
        'create table auth.schema_migrations (version text)',
        'create table spatial_ref_sys (id int)',
        'create extension pg_trgm',
        'alter extension pg_trgm add table spatial_ref_sys',
      )
      await runWell(['migrate'], { databaseUrl })
      assert.equal((await runCommand(['check'], { databaseUrl })).status, 0)
    })
  })
}
