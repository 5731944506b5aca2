// Runs once: what it shows concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { openDatabase, sqlitePath } from '../src/db/open.ts'
import { call, createStudentAt } from './calls.ts'
import { temporaryFolder } from './cleanup.ts'
import { migratedDatabaseUrl } from './engine.ts'
import { insertStudents } from './many-students.ts'
import { firstAdministrator, type ServerProcess, startServer } from './server.ts'
import { needs } from './tools.ts'

/** Lets system calls of a running server fail on one file. @returns what ends that */
async function inject(
  { process }: ServerProcess,
  path: string,
  fault: { readonly calls: string; readonly error: string },
): Promise<() => Promise<void>> {
  const inject = `inject=${fault.calls}:error=${fault.error}`
  const args = ['-f', '-p', String(process.pid), '-P', path, '-e', `trace=${fault.calls}`, '-e', inject]
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(strace, 'exit')
  const lines = createInterface({ input: strace.stderr })
  await Promise.race([once(lines, 'line'), exited])
  return async () => {
    strace.kill('SIGINT')
    await exited
  }
}

describe('a disk that gives no page', needs('sh', '-c', 'sleep 0.2 & strace -o /dev/null -p $!'), () => {
  it('costs the requests that need one, and neither the process nor those that come later', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const db = await openDatabase(databaseUrl)
    const names = Array.from({ length: 20_000 }, (_, i) => `Ada Lovelace ${i}`)
    await insertStudents(db, names)
    await db.destroy()
    const server = await startServer(databaseUrl)
    const token = await firstAdministrator(server)
    const paths = [
      '/api/students?per_page=1000&page=15',
      '/api/students/9000',
      '/api/students?search=lovelace+77',
    ]
    for (let round = 0; round < 5; round++) {
      const mend = await inject(server, sqlitePath(databaseUrl), { calls: 'pread64', error: 'EIO' })
      let failed = 0
      for (const path of [...paths, ...paths]) {
        const { status, body } = await call(server, 'GET', path, { token })
        if (status !== 200) assert.deepEqual([status, body.code], [503, 'database_damaged'])
        else if (Array.isArray(body.data)) assert.ok(body.data.length > 0)
        if (status !== 200) failed++
      }
      assert.ok(failed > 0)
      await mend()
      for (const path of paths) assert.equal((await call(server, 'GET', path, { token })).status, 200)
      assert.equal((await createStudentAt(server, token, `new-${round}`)).status, 201)
      assert.equal((await call(server, 'GET', '/api/health')).status, 200)
    }
    const { body } = await call(server, 'GET', '/api/students?per_page=1', { token })
    assert.equal(body.pagination.total, names.length + 5)
    assert.equal(await server.end('SIGTERM'), 0)
    assert.equal(server.log.filter((line) => /can't be read/.test(line)).length, 1)
    assert.doesNotMatch(server.log.join(''), /"stack"/)
  })
})

describe('a disk that fails to flush', needs('sh', '-c', 'sleep 0.2 & strace -o /dev/null -p $!'), () => {
  it('ends the server, which says so: what was answered before is there at the next start', async () => {
    const server = await startServer()
    const token = await firstAdministrator(server)
    assert.equal((await createStudentAt(server, token, 'before')).status, 201)
    const path = sqlitePath(server.databaseUrl)
    const mend = await inject(server, `${path}-wal`, { calls: 'fsync,fdatasync', error: 'EIO' })
    await assert.rejects(createStudentAt(server, token, 'meanwhile'), 'it has no answer')
    assert.equal(await server.end('SIGTERM'), 1, 'it has ended by itself')
    await mend()
    assert.match(server.log.join('\n'), /^The database can no longer be written, and the server ends: /m)
    const next = await startServer(server.databaseUrl)
    const { body } = await call(next, 'GET', '/api/students?search=before', { token })
    assert.equal(body.pagination.total, 1)
    assert.equal((await createStudentAt(next, token, 'after')).status, 201)
  })
})

describe('a start after kill -9', needs('strace', '-D', '-o', '/dev/null', 'true'), () => {
  /** A database with something in its -wal. */
  async function killed(): Promise<string> {
    const server = await startServer()
    await firstAdministrator(server)
    await server.end('SIGKILL')
    return server.databaseUrl
  }

  it('writes and flushes what the -wal holds before it listens', async () => {
    const databaseUrl = await killed()
    const trace = join(temporaryFolder(), 'trace')
    const calls = 'trace=fsync,fdatasync,pwrite64,ftruncate,listen'
    const strace = ['strace', '-D', '-f', '-y', '-o', trace, '-e', calls]
    const server = await startServer(databaseUrl, {}, strace)
    await server.end('SIGTERM')
    const path = sqlitePath(databaseUrl)
    const lines = readFileSync(trace, 'utf8').split('\n')
    const before = lines.slice(
      0,
      lines.findLastIndex((line) => / listen\(/.test(line)),
    )
    const at = (call: RegExp, file: string) =>
      before.findIndex((line) => call.test(line) && line.includes(`<${file}>`))
    const [flushedLog, wrote, emptied] = [
      at(/ (fsync|fdatasync)\(/, `${path}-wal`),
      at(/ pwrite64\(/, path),
      at(/ ftruncate\(/, `${path}-wal`),
    ]
    const flushed = before.findLastIndex(
      (line, i) => i < emptied && / (fsync|fdatasync)\(/.test(line) && line.includes(`<${path}>`),
    )
    assert.ok(
      flushedLog !== -1 && flushedLog < wrote && wrote < flushed && flushed < emptied,
      before.join('\n'),
    )
  })

  it('does not serve, and says why in one sentence, when that fails', async () => {
    const databaseUrl = await killed()
    const path = sqlitePath(databaseUrl)
    for (const file of [path, `${path}-wal`]) {
      const fault = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:error=EIO']
      const strace = ['strace', '-D', '-f', '-o', '/dev/null', '-P', file, ...fault]
      await assert.rejects(startServer(databaseUrl, {}, strace), {
        message:
          /exited with 1:\nThe database .* was not closed cleanly, and what its -wal file holds can't be brought into it: disk I\/O error\. [^\n]+$/,
      })
    }
    assert.equal(await (await startServer(databaseUrl)).end('SIGTERM'), 0)
  })
})
