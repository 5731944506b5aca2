// Runs once: it concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { describe, it } from 'node:test'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { launcher, serverEnvironment } from '../../test/server.ts'
import { needs } from '../../test/tools.ts'
import { sqlitePath } from '../db/open.ts'

const readOnly = `mount --bind "$FOLDER" "$FOLDER" && mount -o remount,bind,ro "$FOLDER" && exec "$@"`

describe('check on a read-only file system', needs('unshare', '--mount', '-Ur', 'true'), () => {
  it('says that this is so, and no more', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const path = sqlitePath(databaseUrl)
    const { stderr, status } = spawnSync(
      'unshare',
      ['--mount', '-Ur', 'sh', '-c', readOnly, 'sh', process.execPath, launcher, 'check'],
      { env: { ...serverEnvironment(databaseUrl), FOLDER: dirname(path) }, encoding: 'utf8' },
    )
    assert.equal(
      stderr,
      `Faults:\n  database: the file system of ${path} is read-only, so that nothing is saved. Mount it so that it can be written\n`,
    )
    assert.equal(status, 1)
  })
})
