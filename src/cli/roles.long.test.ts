import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { call, logInAt } from '../../test/calls.ts'
import { addUser, runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl, onceOnly } from '../../test/engine.ts'
import { type ServerProcess, startServer } from '../../test/server.ts'
import { builtInRoles } from '../access/permissions.ts'

const databaseUrl = await migratedDatabaseUrl()
const run = (...args: string[]) => runCommand(args, { databaseUrl })
const roles = async () => (await run('role', 'list', '--json')).json().roles

let server: ServerProcess
before(async () => {
  server = await startServer(databaseUrl)
})

describe('role list', () => {
  it('shows what each role allows', async () => {
    const { stdout } = await run('role', 'list')
    assert.match(stdout, /\n +viewer +classes\.view, students\.view\n/)
    for (const { name, permissions, built_in } of await roles()) {
      assert.deepEqual(permissions, [...builtInRoles[name as keyof typeof builtInRoles]].sort())
      assert.equal(built_in, true)
    }
    assert.equal((await runWell(['role', 'list', '--help'], { databaseUrl })).stderr, '')
    assert.equal((await run('role', 'list', 'teacher')).status, 2)
  })
})

describe('role add, rename, permissions and remove', () => {
  it('make a role, which accounts hold as it is from their next request on', async () => {
    const added = await run(
      'role',
      'add',
      ' Class teacher ',
      'students.view',
      'classes.view',
      'students.view',
    )
    assert.equal(added.stdout, 'Added the role Class teacher.\n')
    await addUser(databaseUrl, 'ben@school.example', 'Class teacher')
    const token = await logInAt(server, 'ben@school.example')
    const readStudents = async () => (await call(server, 'GET', '/api/students', { token })).status
    assert.equal(await readStudents(), 200)

    const changed = await run('role', 'permissions', 'Class teacher', 'classes.view')
    assert.equal(changed.stdout, 'The role Class teacher holds: classes.view.\n')
    assert.equal(await readStudents(), 403)
    const renamed = await run('role', 'rename', 'Class teacher', 'Tutor')
    assert.equal(renamed.stdout, 'The role Class teacher is now called Tutor.\n')
    assert.equal((await roles()).at(-1).name, 'Tutor')

    const held = await run('role', 'remove', 'Tutor')
    assert.deepEqual([held.status, (await roles()).length], [1, 4])
    assert.match(held.stderr, /^Accounts hold this role; /)
    await runWell(['user', 'revoke', 'ben@school.example', 'Tutor'], { databaseUrl })
    assert.equal((await run('role', 'remove', 'Tutor')).stdout, 'Removed the role Tutor.\n')
    assert.equal((await roles()).length, 3)
  })

  it('refuse what cannot be, each in one sentence, and change nothing', onceOnly, async () => {
    await run('role', 'add', 'Narrow', 'students.view')
    await addUser(databaseUrl, 'cleo@school.example')
    await runWell(['user', 'grant', 'cleo@school.example', 'Narrow', '--class', '3', '--yes'], {
      databaseUrl,
    })
    const before = await roles()
    const refusals: [args: string[], reason: RegExp][] = [
      [['add', 'viewer', 'students.view'], /^Another role has this name/],
      [
        ['add', 'VIEWER', 'students.view'],
        /^Another role has this name; names that look alike count as one\.\n$/,
      ],
      [['rename', 'Narrow', 'viewer'], /^Another role has this name/],
      [['rename', 'Narrow', 'Viewer'], /^Another role has this name/],
      [['add', 'New', 'students.burn', 'students.view'], /^There is no permission students\.burn\. The perm/],
      [['add', ' ', 'students.view'], /^The name must not be empty\.\n$/],
      [['rename', 'viewer', 'New'], /^The built-in roles stay as they are/],
      [['permissions', 'administrator', 'students.view'], /^The built-in roles stay as they are/],
      [['remove', 'viewer'], /^The built-in roles stay as they are/],
      [['permissions', 'Narrow', 'users.view'], /^This role is granted for named classes/],
      [['remove', 'teacher'], /^There is no role teacher\. The roles are: /],
    ]
    for (const [args, reason] of refusals) {
      const { status, stderr, stdout } = await run('role', ...args)
      assert.deepEqual([status, stdout], [1, ''], args.join(' '))
      assert.match(stderr, reason)
    }
    const missing = await run('role', 'add', 'New')
    assert.equal(missing.status, 2)
    assert.match(missing.stderr, /^PERMISSION is missing\./)
    assert.equal((await run('role', 'rename', 'A', 'B', 'C')).status, 2)
    assert.deepEqual(await roles(), before)
  })
})
