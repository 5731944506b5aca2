import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { call, logInAt } from '../../test/calls.ts'
import { addUser, runCommand } from '../../test/command.ts'
import { migratedDatabaseUrl, onceOnly } from '../../test/engine.ts'
import { type ServerProcess, startServer } from '../../test/server.ts'

const databaseUrl = await migratedDatabaseUrl()
const run = (...args: string[]) => runCommand(['field', ...args], { databaseUrl })

let server: ServerProcess
let token: string
before(async () => {
  server = await startServer(databaseUrl)
  await addUser(databaseUrl, 'office@school.example', 'registrar')
  token = await logInAt(server, 'office@school.example')
})

async function create(fields: object, number: string) {
  const body = { name: 'Ada', admission_number: number, class_id: 1, fields }
  return call(server, 'POST', '/api/students', { token, body })
}

describe('field add', () => {
  it('adds a field that the running server takes at once', async () => {
    const added = await run('add', ' House ', '--kind', 'one_of', '--option', 'Oak', '--option', 'Elm')
    assert.deepEqual(
      [added.status, added.stdout],
      [0, 'Added the field House with the id 1 and the key house.\n'],
    )
    const { status, body } = await create({ house: 'Oak' }, 'A-1')
    assert.equal(status, 201)
    const student = await call(server, 'GET', `/api/students/${body.data.id}`, { token })
    assert.deepEqual(student.body.data.fields, { house: 'Oak' })
    const secret = await run('add', 'Care plan', '--kind', 'text', '--key', 'plan', '--sensitive', '--json')
    assert.deepEqual(secret.json(), { id: 2, key: 'plan', label: 'Care plan' })
  })

  it(
    'refuses a wrong kind, a taken or empty label, a wrong key, and options out of place',
    onceOnly,
    async () => {
      const calls: [args: string[], said: RegExp][] = [
        [['add', 'Bus', '--kind', 'colour'], /^--kind must be one of text, text_in_lines, .*yes_no\.$/],
        [['add', 'HOUSE', '--kind', 'text'], /^Another field has this label/],
        [['add', ' ', '--kind', 'text'], /^The label must not be empty\.$/],
        [['add', 'Bus', '--kind', 'text', '--key', '1'], /^The key must be of a to z/],
        [
          ['add', 'Bus', '--kind', 'text', '--option', 'a'],
          /^--option is for the kinds one_of and several_of/,
        ],
        [['add', 'Bus', '--kind', 'one_of'], /^--option is for the kinds one_of and several_of/],
        [['add', 'Bus', '--kind', 'one_of', '--option', ' '], /^The option must not be empty\.$/],
      ]
      for (const [args, said] of calls) {
        const { status, stderr } = await run(...args)
        const [told = ''] = stderr.split('\n')
        assert.equal(status, told.startsWith('--') ? 2 : 1, args.join(' '))
        assert.match(told, said)
      }
    },
  )
})

describe('field list', () => {
  it('shows each field with its key, kind, state and options', async () => {
    assert.match(
      (await run('list')).stdout,
      /^ +ID +KEY +KIND +POSITION +STATE +LABEL\n +1 +house +one_of +1 +House: Oak, Elm\n +2 +plan +text +2 +sensitive +Care plan\n$/,
    )
    const { fields } = (await run('list', '--json')).json()
    assert.deepEqual(fields[0].options, ['Oak', 'Elm'])
  })
})

describe('field archive and field restore', () => {
  it('hide a field from records and show it again, by key or by id', async () => {
    const archived = await run('archive', 'house')
    assert.deepEqual(
      [archived.status, archived.stdout],
      [0, 'The field House is archived; records no longer show it.\n'],
    )
    const hidden = await call(server, 'GET', '/api/students/1', { token })
    assert.deepEqual(hidden.body.data.fields, {})
    assert.equal((await create({ house: 'Oak' }, 'A-2')).status, 422)
    assert.deepEqual((await run('restore', '1', '--json')).json(), {
      id: 1,
      key: 'house',
      label: 'House',
      archived: false,
    })
    const shown = await call(server, 'GET', '/api/students/1', { token })
    assert.deepEqual(shown.body.data.fields, { house: 'Oak' })
    assert.match((await run('archive', '9')).stderr, /^There is no field 9; .*field list lists them\.$/m)
  })
})

describe('field remove', () => {
  it('removes a field without values, and no other', async () => {
    assert.match((await run('remove', 'house')).stderr, /^Students have values of the field, so it stays\./)
    const removed = await run('remove', 'plan')
    assert.deepEqual([removed.status, removed.stdout], [0, 'Removed the field Care plan.\n'])
    assert.equal((await run('list', '--json')).json().fields.length, 1)
  })
})
