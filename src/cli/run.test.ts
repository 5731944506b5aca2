// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl, newDatabaseUrl } from '../../test/engine.ts'
import { launcher, serverEnvironment } from '../../test/server.ts'
import { migrations } from '../db/migrations/index.ts'
import { sqlitePath } from '../db/open.ts'
import { version } from '../health/version.ts'
import { commands } from './commands.ts'
import { helpText } from './usage.ts'

const databaseUrl = await newDatabaseUrl()

describe('./registrar.js', () => {
  it('lists every command without an argument (exit 2), with help and with --help (exit 0)', async () => {
    const [bare, help, option] = await Promise.all(
      [[], ['help'], ['--help']].map((args) => runCommand(args, { databaseUrl })),
    )
    assert.deepEqual([bare!.status, help!.status, option!.status], [2, 0, 0])
    assert.deepEqual([bare!.stdout, help!.stderr, option!.stderr], ['', '', ''])
    for (const { name, summary } of commands)
      for (const said of [bare!.stderr, help!.stdout, option!.stdout])
        assert.ok(said.includes(`./registrar.js ${name} `) && said.includes(summary), name)
  })

  it('has every command of the design', () => {
    const expected =
      'serve, demo, user add, user list, user grant, user revoke, user disable, user enable, user password, user remove, role list, role add, role rename, role permissions, role remove, school show, school set, class list, class add, class rename, class archive, class restore, class remove, field list, field add, field archive, field restore, field remove, export, import list, import undo, import, audit list, backup, restore, copy, check, migrate, key rotate, openapi'
    assert.equal(commands.map(({ name }) => name).join(', '), expected)
  })

  it('describes each command: its usage, every option, --json', async () => {
    for (const command of commands) {
      const text = helpText(command)
      assert.ok(text.startsWith(`${command.summary}\n\nUsage: ./registrar.js ${command.name}`))
      assert.equal(text.includes('--json'), !['serve', 'demo'].includes(command.name), command.name)
      for (const option of Object.keys(command.options ?? {}))
        assert.ok(text.includes(`\n  --${option} `), `${command.name} --${option}`)
    }
    const { stdout } = await runWell(['user', 'add', '--help'], { databaseUrl })
    assert.match(stdout, /^Make an account\n\nUsage: .+--email EMAIL --name NAME \[options\]\n/)
  })

  it('answers a wrong call with what would be right, exit 2, and nothing on standard output', async () => {
    const wrong = [['user'], ['users', 'list'], ['user', 'list', 'all'], ['user', 'list', '--al'], ['backup']]
    const outcomes = await Promise.all(wrong.map((args) => runCommand(args, { databaseUrl })))
    for (const { status, stdout, stderr } of outcomes) {
      assert.deepEqual([status, stdout], [2, ''])
      assert.match(stderr, /\.\/registrar\.js (user|backup)/)
    }
  })

  it('names the option that there is not, and the value that is missing, in its own words', async () => {
    const calls: [args: string[], said: string][] = [
      [
        ['user', 'add', '--password', 'x'],
        'There is no option --password. A password is never an argument: use --password-file or standard input.',
      ],
      [['user', 'list', '--al'], 'There is no option --al.'],
      [['user', 'list', '-j'], 'There is no option -j.'],
      [['user', 'list', '--json=1'], '--json takes no value.'],
      [['user', 'add', '--email'], '--email needs a value: --email EMAIL.'],
      [['user', 'add', '--email', '--name'], '--email needs a value: --email EMAIL.'],
      [['serve', '--json'], 'There is no option --json.'],
      [['user', 'grant', 'a@b'], 'ROLE is missing.'],
      [['user', 'add'], '--email and --name are missing.'],
      [['role', 'add'], 'NAME and PERMISSION are missing.'],
      [['copy'], '--from and --to are missing.'],
      [['serve', '--port', '65536'], '--port must be a port from 0 to 65535; with 0 the system chooses one.'],
      [['demo', '--port', 'x'], '--port must be a port from 0 to 65535; with 0 the system chooses one.'],
    ]
    for (const [args, said] of calls) {
      const { status, stderr } = await runCommand(args, { databaseUrl })
      assert.deepEqual([status, stderr.split('\n')[0]], [2, said])
    }
  })

  it('says its version, and the help of a group and of a command behind the word help', async () => {
    const said = async (...args: string[]) => (await runWell(args, { databaseUrl })).stdout
    assert.equal(await said('--version'), `${version}\n`)
    const group = await said('help', 'user')
    assert.ok(group.includes('user grant EMAIL ROLE') && !group.includes('class list'))
    const grant = await said('user', 'grant', '--help')
    assert.equal(await said('help', 'user', 'grant'), grant)
    assert.match(grant, /administrator, registrar, viewer.*\n\nExample: \.\/registrar\.js user grant /)
  })

  it('tells a failure as JSON on standard error with --json', async () => {
    const failed = await runCommand(['user', 'list', '--json'], { databaseUrl })
    const wrong = await runCommand(['user', 'grant', '--json'], { databaseUrl })
    assert.deepEqual([failed.stdout, wrong.stdout], ['', ''])
    const { error, status } = JSON.parse(failed.stderr)
    assert.match(error, /^There is no database at /)
    assert.deepEqual([failed.status, status], [1, 1])
    assert.deepEqual(
      [wrong.status, JSON.parse(wrong.stderr)],
      [2, { error: 'EMAIL and ROLE are missing.', status: 2 }],
    )
  })

  it('says that it is done where what it prints has no room, and exits with 1', async (context) => {
    if (!existsSync('/dev/full')) return context.skip('needs /dev/full')
    const databaseUrl = await migratedDatabaseUrl()
    const args = [launcher, 'class', 'add', 'Owls']
    const full = openSync('/dev/full', 'w')
    const options = { env: serverEnvironment(databaseUrl), encoding: 'utf8' } as const
    const { status, stderr } = spawnSync(process.execPath, args, {
      ...options,
      stdio: ['ignore', full, 'pipe'],
    })
    closeSync(full)
    assert.equal(
      stderr,
      "Standard output can't be written: ENOSPC: no space left on device, write. What the command did is done all the same.\n",
    )
    assert.equal(status, 1)
    assert.match((await runWell(['class', 'list'], { databaseUrl })).stdout, /Owls/)
  })

  it('reads only the settings that a command needs', async () => {
    const databaseUrl = await newDatabaseUrl()
    const env = { PORT: 'x', PASSWORD_POLICY: 'x' }
    for (const args of [['migrate'], ['user', 'list']]) await runWell(args, { databaseUrl, env })
    const refused = await runCommand(['user', 'add', '--email', 'a@b', '--name', 'A'], { databaseUrl, env })
    assert.match(refused.stderr, /a fault:\n {2}- PASSWORD_POLICY/)
  })

  it('says where a database is made when there is none, and makes none', async () => {
    const { status, stderr } = await runCommand(['user', 'list'], { databaseUrl })
    assert.equal(status, 1)
    assert.match(
      stderr,
      /^There is no database at \/[^\n]+ run \.\/registrar\.js migrate to make it; if the server runs in another folder, run this there or set DATABASE_URL\.\n$/,
    )
    assert.equal(existsSync(sqlitePath(databaseUrl)), false)
  })

  it('waits for the write of another program, and says in one sentence when that does not end', async () => {
    const [busy, busyForLong] = [await migratedDatabaseUrl(), await migratedDatabaseUrl()]
    const [other, another] = [busy, busyForLong].map((url) => new DatabaseSync(sqlitePath(url)))
    for (const one of [other!, another!]) one.exec('begin immediate')
    const add = (databaseUrl: string) =>
      runCommand(['class', 'add', 'Owls'], { databaseUrl, hasOwnProcess: true })
    const [patient, refused] = [add(busy), add(busyForLong)]
    setTimeout(() => other!.exec('commit'), 1_500)
    assert.equal((await patient).status, 0)
    const { status, stderr } = await refused
    assert.equal(status, 1)
    assert.match(stderr, /^The database can't be used: database is locked\. [^\n]+\n$/)
    for (const one of [other!, another!]) one.close()
  })
})

describe('migrate', () => {
  it('makes the database, and has nothing to do the second time', async () => {
    const fresh = await newDatabaseUrl()
    const first = await runWell(['migrate'], { databaseUrl: fresh })
    const names = migrations.map(({ name }) => name).join(', ')
    assert.ok(
      first.stdout.endsWith(` was brought up to date (${names}): ${migrations.length}.\n`),
      first.stdout,
    )
    const second = await runWell(['migrate', '--json'], { databaseUrl: fresh })
    const expected = { database: sqlitePath(fresh), ran: [], schema: migrations.length, backup: null }
    assert.deepEqual(second.json(), expected)
    assert.deepEqual([first.stderr, second.stderr], ['', ''])
  })
})

describe('openapi', () => {
  it('prints the document without a database, whatever the settings, and writes the same to a file', async () => {
    const file = join(temporaryFolder(), 'openapi.json')
    const env = { PASSWORD_POLICY: 'strict', PORT: 'wrong' }
    const printed = await runWell(['openapi'], { databaseUrl, env })
    assert.match(printed.json().openapi, /^3\.1\./)
    assert.equal(printed.stdout, `${JSON.stringify(printed.json(), null, 2)}\n`)
    const written = await runWell(['openapi', '--out', file, '--json'], { databaseUrl })
    assert.deepEqual(written.json(), { file })
    assert.equal(readFileSync(file, 'utf8'), printed.stdout)
    assert.equal(existsSync(sqlitePath(databaseUrl)), false)
    const nowhere = await runCommand(['openapi', '--out', '/no/such/folder/x'], { databaseUrl })
    assert.deepEqual([nowhere.status, nowhere.stdout], [1, ''])
  })
})
