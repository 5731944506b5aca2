// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { createStudentAt, logInAt } from '../../test/calls.ts'
import { temporaryFile, temporaryFolder } from '../../test/cleanup.ts'
import { addUser, runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl, newDatabaseUrl } from '../../test/engine.ts'
import { admissionNumbersIn, damage, inFile } from '../../test/files.ts'
import { insertStudents } from '../../test/many-students.ts'
import { startServer } from '../../test/server.ts'
import { openDatabase, sqlitePath } from '../db/open.ts'

async function fill(databaseUrl: string, count: number): Promise<void> {
  const db = await openDatabase(databaseUrl)
  await insertStudents(
    db,
    Array.from({ length: count }, (_, i) => `Åsa Øst ${i}`),
  )
  await db.destroy()
}

describe('backup', () => {
  it('of a server under load holds every record acknowledged before it began, and is whole', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    await fill(databaseUrl, 5_000) // so many that the copy takes many steps, and writes fall between them
    const server = await startServer(databaseUrl)
    await addUser(databaseUrl, 'office@school.example', 'registrar')
    const token = await logInAt(server, 'office@school.example')
    const acknowledged: string[] = []
    let loading = true
    const clients = Array.from({ length: 16 }, async (_, client) => {
      for (let i = 0; loading; i++) {
        const number = `load-${client}-${i}`
        const { status } = await createStudentAt(server, token, number)
        if (status === 201) acknowledged.push(number)
        else assert.equal(status, 503) // a busy machine sheds some
      }
    })
    const folder = temporaryFolder()
    const counts: number[] = []
    for (const name of ['first.db', 'second.db', 'third.db']) {
      const file = join(folder, name)
      const before = [...acknowledged]
      const { rows, bytes } = (await runWell(['backup', file, '--json'], { databaseUrl })).json()
      const held = admissionNumbersIn(`sqlite:${file}`)
      assert.deepEqual(
        before.filter((number) => !held.has(number)),
        [],
      )
      assert.equal(held.size, rows.students)
      assert.equal(statSync(file).size, bytes)
      assert.equal(statSync(file).mode & 0o777, 0o600)
      counts.push(held.size)
    }
    loading = false
    await Promise.all(clients)
    assert.ok(counts[0]! >= 5_000 && counts[1]! > counts[0]! && counts[2]! > counts[1]!, `${counts}`)
    assert.deepEqual(readdirSync(folder).sort(), ['first.db', 'second.db', 'third.db'])
  })

  it('holds nothing of a file whose rows were erased before', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const folder = temporaryFolder()
    const [file, copy] = [join(folder, 'plan.csv'), join(folder, 'copy.db')]
    const rows = Array.from({ length: 500 }, (_, i) => `e-${i},Erased Child${i},Class 1\n`)
    writeFileSync(file, `admission_number,name,class\n${rows.join('')}`)
    await runWell(['import', file], { databaseUrl }) // without --apply they are erased at its end
    await runWell(['backup', copy], { databaseUrl })
    assert.equal(/Erased|Child\d/.exec(readFileSync(copy, 'latin1')), null)
  })

  it('never overwrites a file, and leaves nothing behind where it can not write', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const file = temporaryFile('taken.db', 'something dear')
    const taken = await runCommand(['backup', file], { databaseUrl })
    assert.deepEqual([taken.status, taken.stderr], [1, `${file} exists; a backup never overwrites a file.\n`])
    assert.equal(statSync(file).size, 14)
    const nowhere = await runCommand(['backup', join(dirname(file), 'no', 'folder')], { databaseUrl })
    assert.equal(nowhere.status, 1)
    assert.match(nowhere.stderr, /^The backup [^\n]+ can't be made: the folder [^\n]+no does not exist\.\n$/)
    assert.deepEqual(readdirSync(dirname(file)), ['taken.db'])
    assert.equal((await runCommand(['backup'], { databaseUrl })).status, 2)
  })

  it('says so, and keeps no copy, when the database itself is damaged or absent', async () => {
    const databaseUrl = await newDatabaseUrl()
    const file = join(temporaryFolder(), 'copy.db')
    const absent = await runCommand(['backup', file], { databaseUrl })
    assert.match(absent.stderr, /^There is no database at /)
    await runWell(['migrate'], { databaseUrl })
    damage(sqlitePath(databaseUrl))
    const damaged = await runCommand(['backup', file], { databaseUrl })
    assert.deepEqual([absent.status, damaged.status], [1, 1])
    assert.match(damaged.stderr, /^[^\n]+\n$/)
    assert.equal(existsSync(file), false)
  })

  it('is for people one line that says what it counted', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    await fill(databaseUrl, 1)
    const file = join(temporaryFolder(), 'copy.db')
    const { stdout } = await runWell(['backup', file], { databaseUrl })
    assert.match(stdout, /^Backed up to .+: 1 student, 12 classes, 0 users; \d+ bytes, checked\.\n$/)
    const other = join(temporaryFolder(), 'copy.db')
    const { rows } = (await runWell(['backup', other, '--json'], { databaseUrl })).json()
    assert.deepEqual(
      Object.keys(rows).filter((table) => /sqlite|student_search/.test(table)),
      [],
      "Registrar's own tables",
    )
    assert.equal(
      inFile(`sqlite:${file}`, (db) => db.prepare('pragma journal_mode').get()?.journal_mode),
      'delete',
      'one plain file, which can be read from a medium that is read-only',
    )
  })
})
