import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { sqlitePath } from '../src/db/open.ts'
import { call, logInAt } from './calls.ts'
import { temporaryFolder } from './cleanup.ts'
import { runCommand, runWell } from './command.ts'
import { engine, migratedDatabaseUrl, onlyOn } from './engine.ts'
import { admissionNumbersIn, inFile } from './files.ts'
import { runSql } from './postgres.ts'
import { databaseOf, releases, releasesFolder } from './released/databases.ts'
import { accounts, addedLabel, password, renamedLabel, searches, students } from './released/records.ts'
import { projectFolder, type ServerProcess, startServer } from './server.ts'

/** All that a schema is made of, in words. */
async function schemaOf(databaseUrl: string): Promise<unknown[]> {
  if (engine === 'sqlite') {
    const select = 'select type, name, tbl_name, sql from sqlite_schema order by type, name'
    return inFile(databaseUrl, (db) => db.prepare(select).all())
  }
  const inPublic = "'public'::regnamespace"
  const selects = [
    `select relname, relkind, reloptions, attname, attnum, format_type(atttypid, atttypmod) as type, attnotnull,
       attidentity, attgenerated, collname, pg_get_expr(adbin, adrelid) as value
     from pg_class join pg_attribute on attrelid = pg_class.oid left join pg_collation on pg_collation.oid = attcollation
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where relnamespace = ${inPublic} and attnum > 0 order by relname, attnum`,
    `select pg_get_indexdef(oid) as sql from pg_class where relnamespace = ${inPublic} and relkind = 'i' order by 1`,
    `select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as sql from pg_constraint
     where connamespace = ${inPublic} order by 1, 2`,
    'select pg_get_triggerdef(oid) as sql from pg_trigger where not tgisinternal order by 1',
    `select pg_get_functiondef(oid) as sql from pg_proc where pronamespace = ${inPublic} and prokind = 'f'
     and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') order by 1`,
  ]
  const found: unknown[] = []
  for (const select of selects) found.push(...(await runSql(databaseUrl, select)))
  return found
}

describe('databases of releases', () => {
  it('are kept of every release from 0.3.0 on', () => {
    const changelog = readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8')
    const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version!)
    assert.deepEqual(releases, released.slice(0, released.indexOf('0.3.0') + 1).sort())
    for (const version of releases) assert.ok(existsSync(join(releasesFolder, `${version}.db.gz`)), version)
  })
})

for (const version of releases) {
  describe(`a database that release ${version} made`, () => {
    let databaseUrl: string
    let server: ServerProcess
    let token: string
    before(async () => {
      databaseUrl = await databaseOf(version)
      await runWell(['migrate'], { databaseUrl })
      server = await startServer(databaseUrl)
      token = await logInAt(server, accounts[1]!.email, password)
    })

    it('has after its migration exactly the schema of a new one, and no fault', async () => {
      const ofNew = await schemaOf(await migratedDatabaseUrl())
      assert.ok(ofNew.length > 50)
      assert.deepEqual(await schemaOf(databaseUrl), ofNew)
      const { faults } = (await runWell(['check', '--json'], { databaseUrl })).json()
      assert.deepEqual(faults, [])
    })

    it('is served with its students and classes: listed, and found by their words', async () => {
      const { body } = await call(server, 'GET', '/api/students', { token })
      const listed = body.data.map(({ id, name, admission_number, class_id }: Record<string, unknown>) => {
        assert.equal(id, students.findIndex((student) => student.name === name) + 1)
        return { name, admission_number, class_id }
      })
      assert.deepEqual(listed, students)
      for (const [search, ids] of searches) {
        const found = await call(server, 'GET', `/api/students?search=${encodeURIComponent(search)}`, {
          token,
        })
        assert.deepEqual(
          found.body.data.map(({ id }: { id: number }) => id),
          ids,
          search,
        )
      }
      const classes = await call(server, 'GET', '/api/classes', { token })
      const labels = new Map(
        classes.body.data.map((row: { id: number; label: string }) => [row.id, row.label]),
      )
      assert.deepEqual([labels.get(2), labels.get(12), labels.get(13)], [renamedLabel, undefined, addedLabel])
    })

    it('keeps its accounts and what they hold, and takes new records', async () => {
      const granting = ['user', 'grant', accounts[1]!.email, 'viewer']
      const { status, stderr } = await runCommand(granting, { databaseUrl })
      assert.deepEqual([status, /by whom or from where is not known/.test(stderr)], [1, true], stderr)
      const head = await logInAt(server, accounts[0]!.email, password)
      const me = await call(server, 'GET', '/api/auth/me', { token: head })
      assert.deepEqual(me.body.data.roles.sort(), ['administrator', 'viewer'])
      const body = { name: 'Grace Hopper', admission_number: 'new', class_id: 13 }
      const created = await call(server, 'POST', '/api/students', { token, body })
      assert.deepEqual([created.status, created.body.data.id], [201, students.length + 1])
      const found = await call(server, 'GET', '/api/students?search=hopp', { token })
      assert.equal(found.body.pagination.total, 1)
    })
  })

  describe(`a backup that release ${version} made`, onlyOn('sqlite'), () => {
    it('can be restored', async () => {
      const backup = sqlitePath(await databaseOf(version))
      const databaseUrl = `sqlite:${join(temporaryFolder(), 'registrar.db')}`
      await runWell(['restore', backup], { databaseUrl })
      assert.equal(admissionNumbersIn(databaseUrl).size, students.length)
    })
  })
}
