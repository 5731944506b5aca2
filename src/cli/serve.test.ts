// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { call, createStudentAt, logInAt } from '../../test/calls.ts'
import { atEnd, temporaryFolder } from '../../test/cleanup.ts'
import { addUser, runCommand } from '../../test/command.ts'
import { migratedDatabaseUrl, newDatabaseUrl } from '../../test/engine.ts'
import { damage, damageRootOf, fingerprint, makeNewer } from '../../test/files.ts'
import { firstAdministrator, startServer } from '../../test/server.ts'
import { sqlitePath } from '../db/open.ts'
import { lockForServing } from '../db/sqlite-file.ts'

/** Starts a server that must not start, and says so in one sentence. @returns the sentence */
async function refusal(databaseUrl: string, env: Record<string, string> = {}): Promise<string> {
  const { status, stderr } = await runCommand(['serve'], { databaseUrl, env })
  assert.equal(status, 1)
  assert.match(stderr, /^[^\n]+\n$/)
  return stderr
}

describe('serve does not start, and says why in one sentence,', () => {
  it('on a folder that is not there', async () => {
    const folder = join(temporaryFolder(), 'absent')
    const said = await refusal(`sqlite:${join(folder, 'registrar.db')}`)
    assert.equal(said, `The folder ${folder} does not exist. Make it, or set DATABASE_URL.\n`)
    assert.equal(existsSync(folder), false)
  })

  it('on a folder that it may not write in', { skip: process.getuid?.() === 0 && 'root may' }, async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o500)
    assert.match(await refusal(`sqlite:${join(folder, 'registrar.db')}`), /this user may write in it/)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('on an empty file and on a file of something else, which it leaves as they are', async () => {
    for (const content of ['', 'x'.repeat(5_000)]) {
      const databaseUrl = await newDatabaseUrl()
      writeFileSync(sqlitePath(databaseUrl), content)
      assert.match(await refusal(databaseUrl), /is not a Registrar database\. Set DATABASE_URL/)
      assert.equal(statSync(sqlitePath(databaseUrl)).size, content.length)
      assert.deepEqual(readdirSync(dirname(sqlitePath(databaseUrl))), ['registrar.db'])
    }
  })

  it('on a database that a newer Registrar has migrated', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    makeNewer(databaseUrl)
    assert.match(await refusal(databaseUrl), /migrated by a newer Registrar .* Start that version/)
    const other = await runCommand(['user', 'list'], { databaseUrl })
    assert.deepEqual([other.status, /newer Registrar/.test(other.stderr)], [1, true])
  })

  it('on a port in use, before it makes a database', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    atEnd(() => taken.close())
    const { port } = taken.address() as AddressInfo
    for (const HOST of ['127.0.0.1', 'localhost']) {
      const databaseUrl = await newDatabaseUrl()
      const said = await refusal(databaseUrl, { HOST, PORT: String(port) })
      assert.equal(
        said,
        `Port ${port} is in use. Stop the program that uses it, or take another port: set PORT, or add --port PORT.\n`,
      )
      assert.equal(existsSync(sqlitePath(databaseUrl)), false)
    }
  })

  it('on a database that another server uses', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const lock = lockForServing(sqlitePath(databaseUrl))
    atEnd(() => lock.release())
    assert.match(await refusal(databaseUrl), /^Another Registrar server is using /)
  })
})

describe('serve after an unclean stop', () => {
  it('starts when the database is whole, and refuses when too much of it was overwritten', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    await addUser(databaseUrl, 'office@school.example', 'registrar')
    const first = await startServer(databaseUrl)
    const token = await logInAt(first, 'office@school.example')
    assert.equal((await createStudentAt(first, token, 'A-1')).status, 201)
    await first.end('SIGKILL')
    assert.ok(statSync(`${sqlitePath(databaseUrl)}-wal`).size > 0)
    const second = await startServer(databaseUrl)
    assert.equal(statSync(`${sqlitePath(databaseUrl)}-wal`).size, 0, 'all is in the file, and flushed')
    assert.equal((await createStudentAt(second, token, 'A-2')).status, 201)
    await second.end('SIGKILL')

    damage(sqlitePath(databaseUrl))
    const said = await refusal(databaseUrl)
    assert.match(
      said,
      /is damaged, and is not served \(it was not closed cleanly; .+\)\. Put a backup in its place/,
    )
  })
  it('reads, and writes nothing, when a page of the students was overwritten', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const first = await startServer(databaseUrl)
    const token = await firstAdministrator(first)
    assert.equal((await createStudentAt(first, token, 'A-1')).status, 201)
    await first.end('SIGTERM')
    assert.equal(existsSync(`${sqlitePath(databaseUrl)}-wal`), false)
    const second = await startServer(databaseUrl)
    const { body } = await call(second, 'POST', '/api/classes', { token, body: { label: 'New' } })
    await second.end('SIGKILL')
    const path = sqlitePath(databaseUrl)
    const page = damageRootOf(path, 'students')
    const before = fingerprint(path)

    for (let round = 0; round < 2; round++) {
      const server = await startServer(databaseUrl)
      const codeOf = async (method: string, route: string, calling: object = {}) => {
        const { status, body } = await call(server, method, route, { token, ...calling })
        return `${status} ${body.code ?? ''}`
      }
      assert.equal(await codeOf('GET', `/api/classes/${body.data.id}`), '200 ')
      assert.equal(await codeOf('GET', '/api/auth/me'), '200 ')
      assert.equal(await codeOf('GET', '/api/students'), '503 database_damaged')
      assert.equal(await codeOf('GET', '/api/health'), '503 database_damaged')
      assert.equal(await codeOf('POST', '/api/classes', { body: { label: 'Other' } }), '503 database_damaged')
      assert.equal(await codeOf('POST', '/api/auth/logout'), '503 database_damaged')
      const account = { email: 'first@school.example', password: 'correct horse battery' }
      assert.equal(await codeOf('POST', '/api/auth/login', { body: account }), '503 database_damaged')
      const told = server.log.filter((line) => line.includes('is damaged'))
      assert.equal(told.length, 1)
      assert.match(told[0]!, /"level":"fatal".* It is read, and not written\. .*restore FILE/)
      assert.equal(await server.end('SIGTERM'), 0)
    }
    assert.equal(fingerprint(path), before, 'the file is as it was found')
    assert.ok(page > 1)
  })
})
