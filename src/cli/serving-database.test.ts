import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runCommand, runWell } from '../../test/command.ts'
import { newDatabaseUrl, onlyOn } from '../../test/engine.ts'
import { oldStudentRow } from '../../test/many-students.ts'
import { byTest } from '../../test/school.ts'
import { firstAdministrator, startServer } from '../../test/server.ts'
import { migrate, schemaState } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase, sqlitePath } from '../db/open.ts'
import { lockAlone, lockForCommand, lockForServing } from '../db/sqlite-file.ts'
import { write } from '../events/write.ts'

/** A database that the first version made, with a student. */
async function oldDatabase(): Promise<string> {
  const url = await newDatabaseUrl({ empty: true })
  const db = await openDatabase(url, { create: true })
  await migrate(db, migrations.slice(0, 1))
  const student = oldStudentRow({ name: 'Zoë Müller', number: '1' })
  await write(db, byTest, (db) => db.insertInto('students').values(student).execute())
  await db.destroy()
  return url
}

async function pendingIn(url: string): Promise<readonly number[]> {
  const db = await openDatabase(url)
  const { pending } = await schemaState(db)
  await db.destroy()
  return pending
}

/** Starts a server, which must serve the student that was there. */
async function serves(url: string, env: Record<string, string>): Promise<void> {
  const server = await startServer(url, env)
  const headers = { authorization: `Bearer ${await firstAdministrator(server)}` }
  const answer = await fetch(`${server.url}/api/students?search=zoe`, { headers })
  const { data } = (await answer.json()) as { data: { name: string }[] }
  assert.deepEqual(
    data.map(({ name }) => name),
    ['Zoë Müller'],
  )
  assert.equal(await server.end('SIGTERM'), 0)
  assert.deepEqual(await pendingIn(url), [])
}

describe('a server that starts on a database of an older version', () => {
  const later = migrations.slice(1).map(({ id }) => id)

  it('refuses a PostgreSQL, which is its operator’s to migrate', onlyOn('postgres'), async () => {
    const url = await oldDatabase()
    for (const env of [{}, { MIGRATE: 'off' }]) {
      await assert.rejects(startServer(url, env), {
        message:
          /exited with 1:\nThe database's schema is older than this program\. Run: \.\/registrar\.js migrate, or set MIGRATE=on\.$/,
      })
      assert.deepEqual(await pendingIn(url), later)
    }
  })

  it('migrates a PostgreSQL when it is told to', onlyOn('postgres'), async () => {
    await serves(await oldDatabase(), { MIGRATE: 'on' })
  })

  it('migrates a SQLite file, which is its own', onlyOn('sqlite'), async () => {
    const url = await oldDatabase()
    assert.deepEqual(await pendingIn(url), later)
    await serves(url, {})
  })

  it('keeps the command migrate from the SQLite file that it serves', onlyOn('sqlite'), async () => {
    const databaseUrl = await oldDatabase()
    const lock = lockForServing(sqlitePath(databaseUrl))
    const { status, stderr } = await runCommand(['migrate'], { databaseUrl })
    assert.equal(status, 1)
    assert.match(stderr, /^Another Registrar server is using .+\. Stop it first/)
    assert.deepEqual(await pendingIn(databaseUrl), later)
    lock.release()
    await runWell(['migrate'], { databaseUrl })
    assert.deepEqual(await pendingIn(databaseUrl), [])
    const again = lockForServing(sqlitePath(databaseUrl))
    await runWell(['migrate'], { databaseUrl }) // nothing to do
    again.release()
  })
})

describe('a SQLite file that a command may be writing to', onlyOn('sqlite'), () => {
  it('is copied and restored by nobody, and served all the same', async () => {
    const path = sqlitePath(await newDatabaseUrl())
    const command = lockForCommand(path)
    assert.throws(() => lockAlone(path), { name: 'DatabaseFileError', message: /^A command is using / })
    lockForServing(path).release()
    command.release()
    const alone = lockAlone(path)
    assert.throws(() => lockForCommand(path), { name: 'DatabaseFileError', message: / is in use by copy/ })
    alone.release()
  })
})

describe('a server that starts on an empty database', () => {
  it('makes the schema, whatever MIGRATE says', async () => {
    const url = await newDatabaseUrl({ empty: true })
    const server = await startServer(url, { MIGRATE: 'off' })
    assert.equal(await server.end('SIGTERM'), 0)
    assert.deepEqual(await pendingIn(url), [])
  })
})
