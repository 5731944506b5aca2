// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { databaseOf } from '../../test/released/databases.ts'
import { launcher, serverEnvironment } from '../../test/server.ts'
import { needs } from '../../test/tools.ts'
import { sqlitePath } from '../db/open.ts'

/** Runs a command on a copy of a file, alone on a disk of its own; then lists what is there. */
const onSmallDisk = `
  mount -t tmpfs -o size=300k tmpfs "$1" && cp "$2" "$1/registrar.db" || exit 99
  shift 2
  "$@"
  echo "status $?"
  ls "$DISK"`

describe('migrate on a disk without room for the backup', needs('unshare', '--mount', '-Ur', 'true'), () => {
  it('changes nothing, and says how much room it takes', async () => {
    const from = sqlitePath(await databaseOf('0.3.0'))
    const disk = temporaryFolder()
    const command = [disk, from, process.execPath, launcher, 'migrate']
    const { stdout, stderr } = spawnSync(
      'unshare',
      ['--mount', '-Ur', 'sh', '-c', onSmallDisk, 'sh', ...command],
      { env: { ...serverEnvironment(`sqlite:${disk}/registrar.db`), DISK: disk }, encoding: 'utf8' },
    )
    assert.match(
      stderr,
      /^Nothing was migrated, since the backup before it failed: \S+ has room for \d+ KB, and the copy takes \d+ KB\. See to that, and run it again\.\n$/,
    )
    assert.match(stdout, /^status 1\n/)
    assert.doesNotMatch(stdout, /before-migration|partial/)
  })
})
