// Runs once: what it shows concerns SQLite files alone.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { backup, type DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { inFile } from '../../test/files.ts'
import { sqlitePath } from './open.ts'
import { backUpSqlite } from './sqlite-backup.ts'

describe('a backup', () => {
  /** Copies as SQLite does, and then changes the copy. */
  const copyAndThen = (change: string) => async (source: DatabaseSync, file: string) => {
    const pages = await backup(source, file)
    inFile(`sqlite:${file}`, (db) => db.exec(change))
    return pages
  }

  for (const [what, change, says] of [
    [
      'lacks a row',
      'delete from classes where id = 12',
      /it holds 11 rows of classes, and the database 12\.$/,
    ],
    [
      'has one too many',
      "insert into signing_keys values ('k', x'00', '')",
      /it holds 1 rows of signing_keys, and the database 0\.$/,
    ],
    [
      'lacks a table',
      'drop table idempotency_keys',
      /it holds no rows of idempotency_keys, and the database 0\.$/,
    ],
  ] as const) {
    it(`whose copy ${what} is refused, and not kept`, async () => {
      const path = sqlitePath(await migratedDatabaseUrl())
      const folder = temporaryFolder()
      await assert.rejects(
        backUpSqlite(path, join(folder, 'copy.db'), copyAndThen(change)),
        (error: Error) => {
          assert.match(error.message, /^The copy was not kept: /)
          assert.match(error.message, says)
          return true
        },
      )
      assert.deepEqual(readdirSync(folder), [])
      await backUpSqlite(path, join(folder, 'copy.db'))
      assert.deepEqual(readdirSync(folder), ['copy.db'])
    })
  }

  it('whose copy has as many rows and is not sound is refused, and not kept', async () => {
    const path = sqlitePath(await migratedDatabaseUrl())
    const folder = temporaryFolder()
    const change = 'pragma foreign_keys = off; update role_permissions set role_id = role_id + 1000'
    await assert.rejects(backUpSqlite(path, join(folder, 'copy.db'), copyAndThen(change)), {
      message:
        'The copy is not sound, and was not kept: rows of role_permissions refer to rows that are not there.',
    })
    assert.deepEqual(readdirSync(folder), [])
  })
})
