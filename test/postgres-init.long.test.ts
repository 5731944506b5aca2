// Runs once, on PostgreSQL servers of its own.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openDatabase } from '../src/db/open.ts'
import { learnSizes } from '../src/db/statistics.ts'
import { atEnd } from './cleanup.ts'
import { addUser, runCommand, runWell } from './command.ts'
import { PostgresServer, runSql } from './postgres.ts'
import { postgresServers, runInit } from './postgres-init.ts'
import { firstAdministrator, startServer } from './server.ts'

function initWell(url: string): void {
  const { status, stdout, stderr } = runInit(url)
  assert.deepEqual([status, stdout, stderr], [0, '', ''])
}

/** All that the script makes, as PostgreSQL's catalogue has it. */
async function state(server: PostgresServer): Promise<unknown> {
  const cluster = `
    select rolname, rolpassword, (select datacl::text from pg_database where datname = 'registrar') as acl,
      array(select (setdatabase, setconfig)::text from pg_db_role_setting where setrole = r.oid) as settings,
      array(select (roleid::regrole, member::regrole)::text from pg_auth_members order by 1) as members
    from pg_authid r where rolname like 'registrar%' order by 1`
  const inside = `
    select (select array_agg(extname::text order by 1) from pg_extension) as extensions,
      (select nspacl::text from pg_namespace where nspname = 'public') as acl,
      (select array_agg(defaclacl::text) from pg_default_acl) as defaults,
      (select datctype from pg_database where datname = 'registrar') as ctype, show_trgm('мария') as letters`
  return [await runSql(server.url('postgres'), cluster), await runSql(server.url('registrar'), inside)]
}

for (const { name, bin, skip } of postgresServers) {
  describe(`deploy/postgres-init.sql on ${name}`, { skip }, () => {
    let server: PostgresServer
    const urlOf = (role: string) => server.url('registrar').replace('postgres@', `${role}@`)

    before(async () => {
      server = await PostgresServer.start([], bin)
      atEnd(() => server.remove())
    })

    it('refuses to begin without the passwords, and says where they belong', async () => {
      const { status, stderr } = runInit(server.url('postgres'), '/no/such/folder')
      assert.equal(status, 3)
      assert.match(stderr, /A password is missing: owner_password and server_password must be files in /)
      assert.deepEqual(
        await runSql(server.url('postgres'), "select from pg_roles where rolname ~ '^regis'"),
        [],
      )
    })

    it('completes what a version before began, and changes nothing the second time', async () => {
      await runSql(server.url('postgres'), "create role registrar_owner login password 'as it was'")
      const [before] = (await runSql(
        server.url('postgres'),
        'select rolpassword from pg_authid order by oid desc',
      )) as [{ rolpassword: string }]
      initWell(server.url('postgres'))
      const made = await state(server)
      const [roles, [database]] = made as [
        { rolpassword: string; settings: string[] }[],
        [{ letters: string[] }],
      ]
      assert.equal(roles[1]!.rolpassword, before.rolpassword)
      assert.match(roles[0]!.settings[0]!, /statement_timeout=5s.*lock_timeout=2s.*idle_in_tr\w+=10s/)
      assert.ok(database.letters.length > 0)
      initWell(server.url('postgres'))
      assert.deepEqual(await state(server), made)
    })

    it('makes a database that registrar_owner migrates, and registrar serves but cannot change', async () => {
      await runWell(['migrate'], { databaseUrl: urlOf('registrar_owner') })
      const databaseUrl = urlOf('registrar')
      await addUser(databaseUrl, 'office@school.example', 'registrar')
      const serving = await startServer(databaseUrl)
      await firstAdministrator(serving)
      const warned = serving.log.filter((line) => line.includes('"warn"'))
      assert.deepEqual(
        warned.filter((line) => !line.includes('fsync off')), // as the tests' own servers have it
        [],
      )
      assert.equal(await serving.end('SIGTERM'), 0)
      await assert.rejects(runSql(databaseUrl, 'create table x ()'), /permission denied for schema public/)
      await assert.rejects(runSql(databaseUrl, 'drop table students'), /must be owner/)
      assert.equal((await runCommand(['check'], { databaseUrl })).status, 0)
    })

    it('lets registrar have PostgreSQL learn the sizes of tables that another role owns', async () => {
      const students = async () => {
        const [row] = await runSql(
          server.url('registrar'),
          "select reltuples as known from pg_class where relname = 'students'",
        )
        return row!.known
      }
      assert.equal(await students(), -1)
      await using db = await openDatabase(urlOf('registrar'))
      await learnSizes(db)
      assert.equal(await students(), 0)
    })

    it('leaves what the operator changed, and adds what is missing', async () => {
      await runSql(
        server.url('registrar'),
        "alter role registrar in database registrar set statement_timeout = '9s'",
        'alter role registrar in database registrar reset lock_timeout',
        "alter role registrar password 'another'",
        'grant connect on database registrar to public',
      )
      const before = await state(server)
      initWell(server.url('postgres'))
      const after = JSON.stringify(await state(server))
      assert.equal(
        after,
        JSON.stringify(before).replace(/(statement_timeout=9s,idle\w+=10s)/, '$1,lock_timeout=2s'),
      )
    })

    it('is run by an administrator who is no superuser, as managed services have', async () => {
      const managed = await PostgresServer.start([], bin)
      atEnd(() => managed.remove())
      await runSql(managed.url('postgres'), 'create role boss login createrole createdb')
      const url = managed.url('postgres').replace('postgres@', 'boss@')
      initWell(url)
      const made = await state(managed)
      initWell(url)
      assert.deepEqual(await state(managed), made)
      const databaseUrl = managed.url('registrar').replace('postgres@', 'registrar_owner@')
      await runWell(['migrate'], { databaseUrl })
    })
  })
}
