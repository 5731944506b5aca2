// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { sqlitePath } from '../src/db/open.ts'
import { temporaryFolder } from './cleanup.ts'
import { runCommand, runWell } from './command.ts'
import { migratedDatabaseUrl, newDatabaseUrl } from './engine.ts'
import { inFile } from './files.ts'

describe('a backup that somebody altered', () => {
  let backup: string
  before(async () => {
    const databaseUrl = await migratedDatabaseUrl()
    backup = join(temporaryFolder(), 'backup.db')
    await runWell(['backup', backup], { databaseUrl })
  })

  function crafted(spoil: (file: string) => void): string {
    const file = join(temporaryFolder(), 'crafted.db')
    copyFileSync(backup, file)
    spoil(file)
    return file
  }

  const grant = "begin insert into user_roles select new.id, 1, 'x', 1; end"
  /** Writes the schema itself, past the rules on names and places that SQLite sets for statements. */
  const smuggle = (type: string, name: string, sql: string) => (file: string) =>
    inFile(`sqlite:${file}`, (db) => {
      db.enableDefensive(false)
      db.exec('pragma writable_schema = on')
      db.prepare('insert into sqlite_schema values (?, ?, ?, 0, ?)').run(type, name, 'users', sql)
    })
  const smuggled: [what: string, spoil: (file: string) => void, because: RegExp][] = [
    [
      "a trigger under a name of SQLite's own",
      smuggle('trigger', 'sqlite_x', `CREATE TRIGGER sqlite_x after insert on users ${grant}`),
      /the trigger sqlite_x is not Registrar's/,
    ],
    [
      'a trigger that passes for an index',
      smuggle('index', 'handy', `CREATE TRIGGER handy after insert on users ${grant}`),
      /malformed database schema/,
    ],
    [
      'a trigger under the name of a table that is there',
      smuggle('table', 'users', `CREATE TRIGGER users_x after insert on users ${grant}`),
      /malformed database schema/,
    ],
    [
      'a trigger on schema_lock',
      (file) =>
        inFile(`sqlite:${file}`, (db) =>
          db.exec('create trigger t after update on schema_lock begin delete from students; end'),
        ),
      /the trigger t is not Registrar's/,
    ],
    [
      'a trigger on schema_migrations',
      (file) =>
        inFile(`sqlite:${file}`, (db) =>
          db.exec('create trigger t after insert on schema_migrations begin delete from students; end'),
        ),
      /the trigger t is not Registrar's/,
    ],
    [
      'a view',
      (file) => inFile(`sqlite:${file}`, (db) => db.exec('create view v as select * from users')),
      /the view v is not Registrar's/,
    ],
    [
      'a unique index of its own',
      (file) =>
        inFile(`sqlite:${file}`, (db) => db.exec('create unique index u on students (class_id, name)')),
      /the index u is not Registrar's/,
    ],
  ]
  for (const [what, spoil, because] of smuggled) {
    it(`is refused with ${what}, and nothing is restored`, async () => {
      const file = crafted(spoil)
      const databaseUrl = await newDatabaseUrl()
      const { status, stderr } = await runCommand(['restore', file], { databaseUrl })
      assert.equal(status, 1)
      assert.match(stderr, because)
      assert.equal(existsSync(sqlitePath(databaseUrl)), false)
    })
  }

  it('is taken when it was only analyzed, and given an index', async () => {
    const file = crafted((file) =>
      inFile(`sqlite:${file}`, (db) => db.exec('create index handy on students (class_id); analyze')),
    )
    await runWell(['restore', file], { databaseUrl: await newDatabaseUrl() })
  })
})
