import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { call, createStudentAt, logInAt } from '../../test/calls.ts'
import { addUser, runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl, newDatabaseUrl, onceOnly } from '../../test/engine.ts'
import { type ServerProcess, startServer } from '../../test/server.ts'

const databaseUrl = await migratedDatabaseUrl()
const run = (...args: string[]) => runCommand(['class', ...args], { databaseUrl })

let server: ServerProcess
let token: string
before(async () => {
  server = await startServer(databaseUrl)
  await addUser(databaseUrl, 'office@school.example', 'registrar')
  token = await logInAt(server, 'office@school.example')
  assert.equal((await createStudentAt(server, token, 'A-1')).status, 201)
})

describe('class list', () => {
  it('shows each class with its position and the number of its students', async () => {
    assert.match(
      (await run('list')).stdout,
      /^ +ID +POSITION +STUDENTS +STATE +LABEL\n +1 +1 +1 +Class 1\n +2 +2 +0 +Class 2\n/,
    )
    const { classes } = (await run('list', '--json')).json()
    const first = { id: 1, label: 'Class 1', position: 1, archived: false, students: 1, version: 1 }
    assert.deepEqual(classes[0], first)
    assert.equal(classes.length, 12)
  })
})

describe('class add', () => {
  it('adds a class in which a student can be created at once', async () => {
    const { status, stdout } = await run('add', '  Year 7 e\u0301  ')
    assert.deepEqual([status, stdout], [0, 'Added the class Year 7 é with the id 13.\n'])
    const body = { name: 'Ada', admission_number: 'A-2', class_id: 13 }
    const created = await call(server, 'POST', '/api/students', { token, body })
    const student = await call(server, 'GET', `/api/students/${created.body.data.id}`, { token })
    assert.equal(student.body.data.class, 'Year 7 é')
  })

  it(
    'refuses a label that another class has in any case, an empty, a long and an invisible one',
    onceOnly,
    async () => {
      const labels = ['CLASS 1', ' ', 'x'.repeat(101), 'a\u202eb']
      const outcomes = await Promise.all(labels.map((label) => run('add', label)))
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        [1, 1, 1, 1],
      )
      assert.equal(
        outcomes[0]!.stderr,
        'Another class has the label CLASS 1; labels that look alike count as one. Nothing was added.\n',
      )
      assert.equal((await run('list', '--json')).json().classes.length, 13)
      assert.equal((await run('add')).status, 2)
    },
  )
})

describe('class add with several labels', () => {
  it('adds them in their order, or none of them', async () => {
    const other = await migratedDatabaseUrl()
    const add = (...labels: string[]) => runCommand(['class', 'add', ...labels], { databaseUrl: other })
    const labels = async () =>
      (await runCommand(['class', 'list', '--json'], { databaseUrl: other }))
        .json()
        .classes.slice(12)
        .map(({ label }: { label: string }) => label)
    const twice = await add('1A', '1B', '1a')
    assert.match(twice.stderr, /^Another class has the label 1a; .+ Nothing was added\.\n$/)
    const faulty = await add('1A', '', 'x'.repeat(101))
    assert.match(
      faulty.stderr,
      /^The label must not be empty\. The label must have at most 100 characters\.\n$/,
    )
    assert.deepEqual([twice.status, faulty.status, await labels()], [1, 1, []])
    assert.equal((await add('1B', '1A')).status, 0)
    assert.deepEqual(await labels(), ['1B', '1A'])
    const { classes } = (await add('2A', '2B', '--json')).json()
    assert.deepEqual(
      classes.map(({ label }: { label: string }) => label),
      ['2A', '2B'],
    )
  })
})

describe('class rename', () => {
  it('changes what its students show at once, also to the same label in another case', async () => {
    assert.deepEqual((await run('rename', '1', 'CLASS 1', '--json')).json(), { id: 1, label: 'CLASS 1' })
    assert.equal((await run('rename', '1', 'Owls')).stdout, 'Class 1 is now called Owls.\n')
    const student = await call(server, 'GET', '/api/students/1', { token })
    assert.equal(student.body.data.class, 'Owls')
  })

  it('refuses the label of another class, and a class that is not there', onceOnly, async () => {
    assert.match((await run('rename', '1', 'class 2')).stderr, /^Another class has this label/)
    const absent = await run('rename', '99', 'Foxes')
    assert.deepEqual(
      [absent.status, absent.stderr],
      [1, 'There is no class 99; ./registrar.js class list lists them.\n'],
    )
    assert.equal((await run('rename', 'one', 'Foxes')).status, 1)
  })
})

describe('class archive and class restore', () => {
  it('let no new students in, and let them in again', async () => {
    const student = (number: string) => createStudentAt(server, token, number)
    assert.equal((await run('archive', '1')).stdout, 'Class 1 is archived; it takes no new students.\n')
    assert.match((await run('list')).stdout, /^ +1 +1 +1 +archived +Owls$/m)
    assert.equal((await student('A-3')).body.errors[0].code, 'archived_class')
    assert.deepEqual((await run('restore', '1', '--json')).json(), { id: 1, archived: false })
    assert.equal((await student('A-3')).status, 201)
  })

  it('are content with a class that is so already, and refuse one that is not there', onceOnly, async () => {
    assert.equal((await run('restore', '1')).status, 0)
    assert.equal(
      (await run('archive', '99')).stderr,
      'There is no class 99; ./registrar.js class list lists them.\n',
    )
  })
})

describe('class remove', () => {
  it('removes an empty class, and refuses one with students', async () => {
    assert.deepEqual((await run('remove', '12', '--json')).json(), { id: 12 })
    const full = await run('remove', '1')
    assert.deepEqual(
      [full.status, full.stderr],
      [
        1,
        'The class has or had students, so it stays. Archive it instead: PATCH /api/classes/{id} with archived true, or ./registrar.js class archive ID.\n',
      ],
    )
    assert.equal((await run('remove', '12')).status, 1)
    assert.equal((await call(server, 'GET', '/api/students/1', { token })).status, 200)
  })
})

describe('migrate --no-classes', () => {
  it('makes a database without Class 1 to 12, which is served and sound', async () => {
    const databaseUrl = await newDatabaseUrl({ empty: true })
    await runWell(['migrate', '--no-classes'], { databaseUrl })
    const classes = async () =>
      (await runWell(['class', 'list', '--json'], { databaseUrl }))
        .json()
        .classes.map(({ label }: { label: string }) => label)
    assert.deepEqual(await classes(), [])
    const server = await startServer(databaseUrl)
    await runWell(['class', 'add', '1A', '1B'], { databaseUrl })
    assert.deepEqual(await classes(), ['1A', '1B'])
    await server.end('SIGTERM')
    assert.deepEqual((await runWell(['check', '--json'], { databaseUrl })).json().faults, [])
  })

  it('refuses a database that holds a schema, and changes nothing', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const { status, stderr } = await runCommand(['migrate', '--no-classes'], { databaseUrl })
    assert.equal(status, 1)
    assert.match(
      stderr,
      /^--no-classes is for a new database, and \S+ holds a schema\. Remove classes from it /,
    )
    const { stdout } = await runWell(['class', 'list'], { databaseUrl })
    assert.match(stdout, / Class 12\n/)
  })
})
