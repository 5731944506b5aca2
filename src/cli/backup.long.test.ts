// Runs once: what it shows concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { launcher, serverEnvironment } from '../../test/server.ts'
import { needs } from '../../test/tools.ts'

describe('backup', needs('strace', '-y', '-o', '/dev/null', 'true'), () => {
  it('is on disk when it says so: the file before it gets its name, and then its folder', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const [folder, trace] = [temporaryFolder(), join(temporaryFolder(), 'trace')]
    const file = join(folder, 'copy.db')
    const calls = 'trace=fsync,fdatasync,pwrite64,rename,renameat,renameat2'
    const { status } = spawnSync(
      'strace',
      ['-f', '-y', '-o', trace, '-e', calls, process.execPath, launcher, 'backup', file],
      { env: serverEnvironment(databaseUrl), stdio: 'ignore' },
    )
    assert.equal(status, 0)
    const lines = readFileSync(trace, 'utf8').split('\n')
    const last = (call: RegExp, what: string) =>
      lines.findLastIndex((line) => call.test(line) && line.includes(what))
    const wrote = last(/ pwrite64\(/, `<${file}.`)
    const flushed = last(/ (fsync|fdatasync)\(/, `<${file}.`)
    const named = last(/ rename(at2?)?\(/, `"${file}"`)
    const flushedFolder = last(/ fsync\(/, `<${folder}>`)
    assert.ok(
      wrote !== -1 && wrote < flushed && flushed < named && named < flushedFolder,
      `${[wrote, flushed, named, flushedFolder]}\n${lines.join('\n')}`,
    )
  })
})
