import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import pg from 'pg'
import { call, createStudentAt, logInAt } from '../../test/calls.ts'
import { atEnd, temporaryFolder } from '../../test/cleanup.ts'
import { addUser, password, runCommand, runWell } from '../../test/command.ts'
import { newDatabaseUrl, onlyOn } from '../../test/engine.ts'
import { inFile } from '../../test/files.ts'
import { studentRow } from '../../test/many-students.ts'
import { runSql } from '../../test/postgres.ts'
import { byTest } from '../../test/school.ts'
import { startServer } from '../../test/server.ts'
import { openDatabase, sqlitePath } from '../db/open.ts'
import { lockForCommand } from '../db/sqlite-file.ts'
import { write } from '../events/write.ts'
import { insertStudent } from '../students/queries.ts'

const newFileUrl = () => `sqlite:${join(temporaryFolder(), 'registrar.db')}`

describe('copy', onlyOn('postgres'), () => {
  it('moves everything up, ids and sessions included, and the next id is above all that were given', async () => {
    const from = newFileUrl()
    const below = await startServer(from)
    await addUser(from, 'office@school.example', 'registrar')
    const token = await logInAt(below, 'office@school.example')
    for (let i = 1; i <= 25; i++) await createStudentAt(below, token, `n-${i}`)
    await call(below, 'POST', '/api/lists', { token, body: { name: 'All', filters: { class_id: [1] } } })
    await call(below, 'PUT', '/api/doubles/2/1', { token, body: { different: true } })
    const to = await newDatabaseUrl({ empty: true })

    const served = await runCommand(['copy', '--from', from, '--to', to], { databaseUrl: from })
    assert.equal(served.status, 1)
    assert.match(served.stderr, /Another Registrar server is using/)
    await below.end('SIGTERM')

    const { rows } = (
      await runWell(['copy', '--from', from, '--to', to, '--json'], { databaseUrl: from })
    ).json()
    assert.deepEqual([rows.students, rows.users, rows.classes, rows.sessions], [25, 1, 12, 1])
    assert.deepEqual([rows.named_lists, rows.settled_pairs], [1, 1])

    const above = await startServer(to)
    const list = await fetch(`${above.url}/api/students?per_page=100`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data, pagination } = (await list.json()) as {
      data: { id: number; admission_number: string }[]
      pagination: { total: number }
    }
    assert.equal(pagination.total, 25)
    assert.deepEqual(
      data.map(({ id, admission_number }) => [id, admission_number]),
      Array.from({ length: 25 }, (_, i) => [i + 1, `n-${i + 1}`]),
    )
    const found = await fetch(`${above.url}/api/students?search=n-25`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(((await found.json()) as { pagination: { total: number } }).pagination.total, 1)
    const { body } = await call(above, 'GET', '/api/lists/1', { token })
    assert.deepEqual(body.data.filters, { class_id: [1] })
    const created = await createStudentAt(above, token, 'n-26')
    assert.deepEqual([created.status, created.body.data.id], [201, 26])
    await logInAt(above, 'office@school.example')
  })

  it('keeps identifiers and what students are found by of their guardians, and goes on with both', async () => {
    const from = newFileUrl()
    await runWell(['migrate'], { databaseUrl: from })
    const student = (i: number) => ({
      ...{ name: 'Ada', admission_number: `${i}`, class_id: 1 },
      identifiers: [{ system: 'state', value: `DE-${i}` }],
      guardians: [{ name: 'Jörg', phone: `030 90182${i}` }, { name: 'Maria' }],
    })
    const add = async (databaseUrl: string, i: number) => {
      const db = await openDatabase(databaseUrl)
      const now = new Date().toISOString()
      await write(db, byTest, (db) => insertStudent(db, student(i), now)).finally(() => db.destroy())
    }
    for (const i of [1, 2]) await add(from, i)
    const to = await newDatabaseUrl({ empty: true })
    await runWell(['copy', '--from', from, '--to', to], { databaseUrl: from })
    await assert.rejects(add(to, 2))
    await add(to, 3)
    const texts = await runSql(to, 'select student_id, names, digits from guardian_texts order by id')
    assert.deepEqual(
      texts.map(({ student_id, names, digits }) => [Number(student_id), names, digits]),
      [1, 2, 3].flatMap((id, i) => [
        [id, '  jorg', `03090182${i + 1}`],
        [id, '  maria', null],
      ]),
    )
    const keys = await runSql(to, 'select value_key from student_identifiers order by student_id')
    assert.deepEqual(
      keys.map(({ value_key }) => value_key),
      ['de-1', 'de-2', 'de-3'],
    )
  })

  it('keeps what a grant is for, and that a class once had students', async () => {
    const from = newFileUrl()
    await runWell(['migrate'], { databaseUrl: from })
    await addUser(from, 'teacher@school.example', 'viewer')
    const db = new DatabaseSync(sqlitePath(from))
    const row = studentRow('Ada', '1', 'sqlite')
    const columns = Object.keys(row)
    db.exec('update user_roles set all_classes = 0')
    db.exec('insert into user_role_classes select user_id, role_id, 7 from user_roles')
    db.prepare(`insert into students (${columns}) values (${columns.map(() => '?')})`).run(
      ...Object.values(row),
    )
    db.exec('update students set class_id = 9')
    db.exec('delete from students')
    db.close()
    const to = await newDatabaseUrl({ empty: true })
    await runWell(['copy', '--from', from, '--to', to], { databaseUrl: from })
    assert.deepEqual(
      await runSql(
        to,
        'select all_classes, class_id from user_roles join user_role_classes using (user_id, role_id)',
      ),
      [{ all_classes: '0', class_id: '7' }],
    )
    assert.deepEqual(
      await runSql(to, 'select class_id, sum(students) as students from class_counts group by 1 order by 1'),
      [
        { class_id: '1', students: '0' },
        { class_id: '9', students: '0' },
      ],
    )
  })

  it('keeps commands out while it runs, so that none is acknowledged and lost', async () => {
    const from = newFileUrl()
    await runWell(['migrate'], { databaseUrl: from })
    await addUser(from, 'office@school.example', 'registrar')
    const to = await newDatabaseUrl()
    const locker = new pg.Client({ connectionString: to })
    atEnd(() => locker.end())
    await locker.connect()
    await locker.query('begin; lock table students in share mode')
    const copying = runCommand(['copy', '--from', from, '--to', to], {
      databaseUrl: from,
      hasOwnProcess: true,
    })
    const isHeld = async () =>
      (await locker.query("select from pg_locks where relation = 'students'::regclass and not granted"))
        .rowCount === 1
    while (!(await isHeld()));

    for (const args of [
      ['user', 'disable', 'office@school.example'],
      ['user', 'revoke', 'office@school.example', 'registrar'],
      ['user', 'password', 'office@school.example'],
      ['class', 'rename', '1', 'Elsewhere'],
      ['key', 'rotate'],
    ]) {
      const { status, stdout, stderr } = await runCommand(args, { databaseUrl: from, stdin: password })
      assert.deepEqual([status, stdout], [1, ''], args.join(' '))
      assert.match(stderr, /^\S+registrar\.db is in use by copy, [^\n]+\. Run the command again [^\n]+\.\n$/)
    }
    const backup = join(temporaryFolder(), 'backup.db')
    await runWell(['backup', backup], { databaseUrl: from }) // it only reads
    assert.throws(() => inFile(from, (db) => db.exec('begin immediate')), /database is locked/)
    await locker.query('rollback')
    const { status, stderr } = await copying
    assert.equal(status, 0, stderr)
    assert.deepEqual(
      await runSql(to, 'select disabled_at, (select count(*)::int from user_roles) as grants from users'),
      [{ disabled_at: null, grants: 1 }],
    )
    await runWell(['user', 'disable', 'office@school.example'], { databaseUrl: from })
  })

  it('waits for a command that is under way, but not for long', async () => {
    const from = newFileUrl()
    await runWell(['migrate'], { databaseUrl: from })
    const command = lockForCommand(sqlitePath(from))
    const to = await newDatabaseUrl()
    const { status, stderr } = await runCommand(['copy', '--from', from, '--to', to], { databaseUrl: from })
    assert.equal(status, 1)
    assert.match(stderr, /^A command is using \S+\. Run this again when it has ended\.\n$/)
    const copying = runWell(['copy', '--from', from, '--to', to], { databaseUrl: from })
    command.release()
    await copying
  })

  it('refuses a target that holds records, and leaves it as it is', async () => {
    const from = newFileUrl()
    await runWell(['migrate'], { databaseUrl: from })
    const to = await newDatabaseUrl()
    await addUser(to, 'there@school.example')
    const { status, stderr } = await runCommand(['copy', '--from', from, '--to', to], { databaseUrl: from })
    assert.equal(status, 1)
    assert.match(stderr, /The target is not empty: it holds users/)
    assert.deepEqual(await runSql(to, 'select email from users'), [{ email: 'there@school.example' }])
  })

  it('goes one way, and says so', async () => {
    const url = await newDatabaseUrl()
    const { status, stderr } = await runCommand(['copy', '--from', url, '--to', newFileUrl()], {
      databaseUrl: url,
    })
    assert.equal(status, 2)
    assert.match(stderr, /--from is a sqlite: URL, and --to a postgres:\/\/ one/)
  })
})

describe('a command about files', onlyOn('postgres'), () => {
  it('says that PostgreSQL has its own tools', async () => {
    const databaseUrl = await newDatabaseUrl()
    for (const command of ['backup', 'restore']) {
      const { status, stderr } = await runCommand([command, '/tmp/none'], { databaseUrl })
      assert.equal(status, 1)
      assert.match(stderr, /The records are in PostgreSQL.*pg_dump/)
    }
  })
})

describe('check', onlyOn('postgres'), () => {
  it('says whether PostgreSQL answers, takes writes and has the schema', async () => {
    const databaseUrl = await newDatabaseUrl()
    assert.equal((await runWell(['check', '--json'], { databaseUrl })).json().ok, true)
    const empty = await newDatabaseUrl({ empty: true })
    const { status, stderr } = await runCommand(['check'], { databaseUrl: empty })
    assert.equal(status, 1)
    assert.match(stderr, /it holds no schema yet; run: /)
  })
})
