// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { call, createStudentAt } from '../../test/calls.ts'
import { atEnd, temporaryFolder } from '../../test/cleanup.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { inFile, writePage, zeroPage } from '../../test/files.ts'
import { insertStudents } from '../../test/many-students.ts'
import { openSchool } from '../../test/school.ts'
import { firstAdministrator, type ServerProcess, startServer } from '../../test/server.ts'
import { openDatabase, sqlitePath } from './open.ts'
import { SqliteReader } from './sqlite-reader.ts'
import { SqliteState } from './sqlite-state.ts'
import { SqliteThreadError } from './violations.ts'

describe('a page of the file that cannot be read', () => {
  it('costs the requests that need it, is logged once, and is read again when it is whole', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const path = sqlitePath(databaseUrl)
    const db = await openDatabase(databaseUrl)
    await insertStudents(
      db,
      Array.from({ length: 2_000 }, (_, i) => `Ada ${i}`),
    )
    await db.destroy()
    const leaf = inFile(databaseUrl, (db) =>
      Number(
        db
          .prepare(
            "select pageno from dbstat where name = 'students' and pagetype = 'leaf' order by pageno limit 1 offset 9",
          )
          .get()!.pageno,
      ),
    )
    const content = zeroPage(path, leaf)

    const school = await openSchool({ databaseUrl })
    const viewer = await school.person('viewer')
    const codeOf = async (url: string) => {
      const { status, body, headers } = await school.get(url, viewer)
      await turn()
      return [status, body.code, headers['retry-after'], body.data?.length]
    }
    const damaged = [503, 'database_damaged', '60', undefined]
    for (let i = 0; i < 3; i++) {
      assert.deepEqual(await codeOf('/api/students?per_page=1000'), damaged)
      assert.deepEqual(await codeOf('/api/students?search=ada&per_page=1000'), damaged)
      assert.deepEqual(await codeOf('/api/students?per_page=10'), [200, undefined, undefined, 10])
      assert.deepEqual(await codeOf('/api/health'), [200, undefined, undefined, undefined])
    }
    assert.equal((await school.post('/api/auth/logout', undefined, await school.person())).status, 200)
    const told = school.log.filter((line) => /malformed/.test(line))
    assert.equal(told.length, 1)
    assert.match(told[0]!, /"level":"error".*can't be read .*registrar\.js check/)
    assert.doesNotMatch(school.log.join(''), /"stack"/)

    writePage(path, leaf, content)
    assert.deepEqual(await codeOf('/api/students?per_page=1000'), [200, undefined, undefined, 1000])
  })
})

describe('the file of a running server', () => {
  const healthOf = async (server: ServerProcess) => {
    const { status, body } = await call(server, 'GET', '/api/health')
    return `${status} ${body.code ?? body.status}`
  }
  /** Waits until the log has told so often that the file is gone or back: then its health must be this. */
  const untilHealthIs = async (server: ServerProcess, expected: string, told: RegExp, times = 1) => {
    while (server.log.filter((line) => told.test(line)).length < times)
      await once(server.process.stdout!, 'data')
    assert.equal(await healthOf(server), expected)
  }
  const gone = /"level":"fatal".*was removed, moved or replaced/

  it('is missed when its folder is moved or removed: nothing is written until it is back', async () => {
    const folder = join(temporaryFolder(), 'data')
    const server = await startServer(`sqlite:${join(folder, 'registrar.db')}`)
    const token = await firstAdministrator(server)
    assert.equal((await createStudentAt(server, token, 'A-1')).status, 201)

    const begun = performance.now()
    renameSync(folder, `${folder}.old`)
    await untilHealthIs(server, '503 database_file_gone', gone)
    assert.ok(performance.now() - begun < 10_000)
    const refused = await createStudentAt(server, token, 'A-2')
    assert.deepEqual([refused.status, refused.body.code], [503, 'database_file_gone'])
    const read = await call(server, 'GET', '/api/students', { token })
    assert.deepEqual([read.status, read.body.pagination.total], [200, 1])

    renameSync(`${folder}.old`, folder)
    await untilHealthIs(server, '200 healthy', / is back/)
    assert.equal((await createStudentAt(server, token, 'A-2')).status, 201)

    rmSync(folder, { recursive: true })
    await untilHealthIs(server, '503 database_file_gone', gone, 2)
    assert.equal((await createStudentAt(server, token, 'A-3')).body.code, 'database_file_gone')
    assert.equal(await server.end('SIGTERM'), 0)
    const told = server.log.filter((line) => gone.test(line))
    assert.equal(told.length, 2, 'one line each time')
  })
})

describe('the state of a file', () => {
  function open() {
    const path = join(temporaryFolder(), 'marks.db')
    const db = new DatabaseSync(path)
    db.exec('pragma journal_mode = wal; create table marks (id integer primary key)')
    atEnd(() => db.close())
    const state = new SqliteState(path, undefined, { lookEveryMs: 5, tryEveryMs: 5 })
    atEnd(() => state.close())
    return { path, state }
  }
  const faultOf = (look: () => void): string | undefined => {
    try {
      look()
      return undefined
    } catch (error) {
      return (error as { fault: string }).fault
    }
  }
  async function until(state: SqliteState, fault: string | undefined) {
    while (faultOf(() => state.check()) !== fault) await turn()
  }

  it('is told by each of the files that belong to it, replaced ones too', async () => {
    const { path, state } = open()
    state.watch([`${path}-wal`, `${path}-not there`])
    for (const ending of ['', '-wal']) {
      const file = `${path}${ending}`
      renameSync(file, `${file}.old`)
      copyFileSync(`${file}.old`, file)
      await until(state, 'database_file_gone')
      assert.equal(
        faultOf(() => state.admitWrite()),
        'database_file_gone',
      )
      renameSync(`${file}.old`, file)
      await until(state, undefined)
    }
  })

  it('keeps a new reading connection from a file that took its place', () => {
    const { path, state } = open()
    new SqliteReader(path, state.file).close()
    renameSync(path, `${path}.old`)
    writeFileSync(path, '')
    assert.equal(
      faultOf(() => new SqliteReader(path, state.file)),
      'database_file_gone',
    )
  })

  it('is that nothing can be written, until one of the writes that are tried succeeds', async () => {
    const { state } = open()
    const lines: string[] = []
    const note = (line: string) => void lines.push(line)
    state.logTo({ fatal: note, error: note, info: note })
    let tries = 0
    state.tryWith(async () => {
      if (++tries < 3) throw state.explainWrite(new SqliteThreadError('database or disk is full', 13))
      await state.noteWritten()
    })
    assert.equal(
      faultOf(() => state.check()),
      undefined,
    )
    for (const code of [1, 5, 19, 2067]) state.explainWrite(new SqliteThreadError('of the statement', code))
    assert.equal(
      faultOf(() => state.check()),
      undefined,
    )
    state.explainWrite(new SqliteThreadError('disk I/O error', 778))
    assert.equal(
      faultOf(() => state.check()),
      'database_unavailable',
    )
    assert.equal(
      faultOf(() => state.admitWrite()),
      undefined,
      'writes are tried all the same',
    )
    await until(state, undefined)
    assert.ok(tries >= 3)
    assert.equal(lines.length, 2)
  })

  it('is damage when no transaction can be begun for it, and not when one work met it', () => {
    const { state } = open()
    const met = state.explainWrite(new SqliteThreadError('malformed', 11))
    assert.equal(
      faultOf(() => state.check()),
      undefined,
    )
    state.noteFailedCommit(met)
    assert.equal(
      faultOf(() => state.check()),
      'database_damaged',
    )
  })
})
