// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { addUser, runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { inFile } from '../../test/files.ts'
import { startServer } from '../../test/server.ts'
import { sqlitePath } from '../db/open.ts'
import { lockForServing } from '../db/sqlite-file.ts'

const usersIn = (databaseUrl: string) =>
  inFile(databaseUrl, (db) => db.prepare('select count(*) as count from users').get()!.count)

describe('a database behind symbolic links', () => {
  it('is served by one server, whatever links lead to the file or its folder', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'real', 'registrar.db')
    mkdirSync(join(folder, 'real'))
    symlinkSync('real', join(folder, 'folder'))
    symlinkSync(join(folder, 'folder', 'registrar.db'), join(folder, 'link.db')) // leads nowhere yet
    symlinkSync('link.db', join(folder, 'other.db'))

    const server = await startServer(`sqlite:${join(folder, 'link.db')}`)
    assert.ok(lstatSync(path).isFile())
    assert.ok(server.log.some((line) => line.includes(`the records are in ${path}`)))
    await assert.rejects(startServer(`sqlite:${join(folder, 'other.db')}`), {
      message: /exited with 1:\nAnother Registrar server is using [^\n]+$/,
    })
    for (const other of [path, join(folder, 'folder', 'registrar.db')])
      assert.throws(() => lockForServing(sqlitePath(`sqlite:${other}`)), {
        message: /^Another Registrar server is using /,
      })
    await addUser(`sqlite:${join(folder, 'other.db')}`, 'one@school.example')
    assert.equal(usersIn(`sqlite:${path}`), 1)
    assert.equal(await server.end('SIGTERM'), 0)
    for (const made of ['link.db.lock', 'link.db-wal', 'other.db.lock'])
      assert.ok(!existsSync(join(folder, made)))
  })

  it('is replaced by restore, and the link stays', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const backup = join(temporaryFolder(), 'backup.db')
    await runWell(['backup', backup], { databaseUrl })
    await addUser(databaseUrl, 'later@school.example')
    const link = join(temporaryFolder(), 'link.db')
    symlinkSync(sqlitePath(databaseUrl), link)
    const { database, kept } = (
      await runWell(['restore', backup, '--json'], { databaseUrl: `sqlite:${link}` })
    ).json()
    assert.equal(database, sqlitePath(databaseUrl))
    assert.equal(readlinkSync(link), database)
    assert.deepEqual([usersIn(databaseUrl), usersIn(`sqlite:${kept}`)], [0, 1])
    const itself = await runCommand(['restore', link], { databaseUrl })
    assert.match(itself.stderr, /is the present database itself/)
  })

  it('is refused in a sentence where the links go round', async () => {
    const loop = join(temporaryFolder(), 'loop.db')
    symlinkSync(loop, loop)
    await assert.rejects(startServer(`sqlite:${loop}`), {
      message: /exited with 1:\nThe link [^\n]+loop\.db leads nowhere\. [^\n]+$/,
    })
  })
})

describe('a database with a second name', () => {
  it('is used by no command until the name is removed; a restored one has no other', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const path = sqlitePath(databaseUrl)
    const backup = join(temporaryFolder(), 'backup.db')
    await runWell(['backup', backup], { databaseUrl })
    const second = join(path, '..', 'second.db')
    linkSync(path, second)
    for (const args of [['check'], ['user', 'list'], ['migrate']]) {
      const { status, stderr } = await runCommand(args, { databaseUrl })
      assert.equal(status, 1)
      assert.match(stderr, /has a second name \(a hard link\): [^\n]+second\.db\. [^\n]+\n$/)
    }
    const { kept } = (await runWell(['restore', backup, '--json'], { databaseUrl })).json()
    assert.deepEqual(
      [path, kept].map((file) => statSync(file).nlink),
      [1, 1],
    )
    rmSync(path)
    linkSync(second, path)
    rmSync(second)
    await runWell(['check'], { databaseUrl })
  })
})
