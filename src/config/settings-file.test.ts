// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseEnv } from 'node:util'
import fc from 'fast-check'
import { temporaryFolder } from '../../test/cleanup.ts'
import { runCommand, runWell } from '../../test/command.ts'
import { migratedDatabaseUrl } from '../../test/engine.ts'
import { startServer } from '../../test/server.ts'
import { settingNames, settingNear } from './names.ts'
import { fileFaults, nameWarnings } from './settings-file.ts'

const databaseUrl = await migratedDatabaseUrl()

/** A folder with this `.env`. */
function folderWith(file: string): string {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, '.env'), file)
  return cwd
}

/** What `check` says of a `.env`, as it stands in `--json`: of one in its folder, or of the text alone. */
async function checked(file: string, env: Record<string, string> = {}, { isInFolder = false } = {}) {
  const place = isInFolder ? { cwd: folderWith(file) } : { settingsFile: file }
  const outcome = await runCommand(['check', '--json'], { databaseUrl, env, ...place })
  const { ok, faults, warnings } = outcome.json()
  assert.equal(outcome.status, ok ? 0 : 1)
  return { faults: faults.map(({ detail }: { detail: string }) => detail), warnings }
}

describe('.env', () => {
  it('with a misspelt setting is refused by serve and check, which ask what was meant', async () => {
    const file = '# a school\nFIRST_ADMN=off\nLOG_LEVEL=loud\n'
    const fault =
      'FIRST_ADMN in .env is not a setting. Did you mean FIRST_ADMIN? Correct line 2, or remove it.'
    const { status, stderr } = await runCommand(['serve'], { databaseUrl, cwd: folderWith(file) })
    assert.equal(status, 1)
    assert.ok(
      stderr.startsWith(`The configuration has 2 faults:\n  - ${fault}\n  - LOG_LEVEL must be`),
      stderr,
    )
    const { faults } = await checked(file, {}, { isInFolder: true })
    assert.deepEqual([faults.length, faults[0]], [2, fault])
  })

  it('with a setting twice, or a line that is none, is refused, and no value is said', async () => {
    const { faults } = await checked('PORT=1\nhunter2\nexport PORT = 2\nTOKEN_SECRET hunter3\n')
    assert.deepEqual(faults, [
      'PORT stands more than once in .env, in lines 1, 3. Keep one of them.',
      '.env holds what is neither NAME=value nor a comment, in line 2, 4. Correct it, or write # before it.',
    ])
  })

  it('with a # inside a value without quotes, which would cut it short, is refused', async () => {
    const url = 'DATABASE_URL=postgres://registrar:12#hunter2@db.example/registrar'
    const { faults } = await checked(`PORT=1 # a note\nLOG_LEVEL="info"#\n${url}\nX=a#b\n`)
    assert.deepEqual(faults, [
      'DATABASE_URL in .env has a # in its value, in line 3, and what follows is not read. Put the value in quotes, or a blank before a comment.',
    ])
  })

  it('with a quotation mark that is not closed in its line is refused: it takes the settings below away', async () => {
    const open = (name: string, at: number) =>
      `The value of ${name} in .env begins with a quotation mark that is not closed in its line, ${at}, and takes the lines below. Close it there.`
    const secret = '0123456789012345678901234567890123'
    const faultsOf = async (file: string) => (await checked(file)).faults
    const comment = `PORT=1\nTOKEN_SECRET='${secret}\nFIRST_ADMIN=off\nREGISTRATION=closed\n# it's the office\n`
    assert.deepEqual(await faultsOf(comment), [open('TOKEN_SECRET', 2)])
    assert.deepEqual(await faultsOf(`FOO="a\nFIRST_ADMIN=off\nBAR="b"\n`), [open('FOO', 1)])
    assert.ok((await faultsOf(`TOKEN_SECRET="${secret}\nPORT=1\n`)).includes(open('TOKEN_SECRET', 1)))
    assert.deepEqual(await faultsOf('TLS_KEY="-----BEGIN KEY-----\nabc=\n-----END KEY-----"\nPORT=1\n'), [])
    assert.deepEqual(await faultsOf(`TOKEN_SECRET="${secret}" # it's the office\nPORT=1\n`), [])
  })

  it('with a fault is refused by a command only if the command reads that setting', async () => {
    const list = (settingsFile: string) => runCommand(['user', 'list'], { databaseUrl, settingsFile })
    assert.equal((await list('FIRST_ADMN=off\nPORT=1\nPORT=2')).status, 0)
    for (const file of ['DATABASE_ULR=x', 'DATABASE_URL=x\nDATABASE_URL=y', 'DATABASE_URL x'])
      assert.equal((await list(file)).status, 1, file)
  })

  it('with another unknown name is taken, and check tells it', async () => {
    const file = 'SMTP_HOST=x\nHOME=/root\nPGPASSWORD=x\nNODE_EXTRA_CA_CERTS=x\nPOSTGRES_PASSWORD=x\n'
    assert.deepEqual(await checked(file), {
      faults: [],
      warnings: ['SMTP_HOST', 'HOME', 'POSTGRES_PASSWORD'].map(
        (name) =>
          `${name} in .env is not a setting of Registrar. Remove it, unless another program reads it.`,
      ),
    })
    const { stdout } = await runWell(['check'], { databaseUrl, settingsFile: 'SMTP_HOST=x' })
    assert.match(stdout, /^All is well: .*\nWarnings:\n {2}SMTP_HOST in \.env [^\n]+\n$/)
  })

  it('leaves a setting unset that only blanks follow, and may begin with a byte order mark', async () => {
    const { faults } = await checked(
      '\uFEFFPORT= \r\nLOG_LEVEL=loud\t\r\n',
      { PORT: '' },
      { isInFolder: true },
    )
    assert.equal(faults.length, 1)
    assert.match(faults[0], /^LOG_LEVEL must be/)
  })

  it('is read as Node reads it', () => {
    const name = fc.constantFrom('PORT', 'SMTP_HOST', 'X', 'a.b-c')
    const value = fc.constantFrom(
      '1',
      '"a b"',
      "'a\nX=1\n#b'",
      '`"`',
      '"a',
      "it's",
      '',
      '# c',
      '"a"b"',
      'a=b',
    )
    const assignment = fc
      .tuple(fc.constantFrom('', 'export ', ' '), name, fc.constantFrom('=', ' = '), value)
      .map((parts) => parts.join('').trimEnd())
    const text = fc
      .array(fc.oneof(assignment, fc.constantFrom('', '# X=1', '  # b')))
      .map((l) => l.join('\n'))
    fc.assert(
      fc.property(text, (file) => {
        fc.pre(fileFaults(file, (name) => name !== 'PORT').length === 0)
        const read = Object.keys(parseEnv(file)).map((name) => name.replace('export ', '')) // which Node leaves at an empty value
        const known = [...new Set(read)].filter((name) => name !== 'PORT')
        const told = nameWarnings([], file).map((line) => line.split(' ')[0])
        assert.deepEqual(told.sort(), known.sort())
      }),
    )
  })
})

describe('the environment', () => {
  it('with a name of eight letters or more that is near to a setting starts with a warning', async () => {
    const env = { FIRST_ADMN: 'off', HOSTS: 'x', HOSTNAME: 'x' }
    const said =
      'FIRST_ADMN in the environment is not a setting. Did you mean FIRST_ADMIN? If so, correct it.'
    const { log } = await startServer(undefined, env)
    const warnings = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
    assert.deepEqual(
      warnings.map(({ msg }) => msg),
      [said],
    )
    assert.deepEqual((await checked('', env)).warnings, [said])
  })
})

describe('a name', () => {
  it('is near to a setting by one edit, and by two from eleven letters on; its case does not count', () => {
    const near: Record<string, string | undefined> = {
      HSOT: 'HOST',
      HOSTS: 'HOST',
      HOME: undefined,
      HOSTNAME: undefined,
      Port: 'PORT',
      FIRSTADMIN: 'FIRST_ADMIN',
      DATABSE_ULR: 'DATABASE_URL',
      DATABASE_HOST: undefined,
      DATABASE_USER: undefined,
      TOKEN_URL: undefined,
      CORS_ORIGIN: 'CORS_ORIGINS',
      ADMIN_PASSWORD: undefined,
    }
    for (const [name, setting] of Object.entries(near)) assert.equal(settingNear(name), setting, name)
    for (const name of settingNames) assert.equal(settingNear(name.slice(1)), name)
  })
})

describe('an address that others can reach', () => {
  const warning =
    /^REGISTRATION=open gives the role viewer \(DEFAULT_ROLE\) to every stranger who registers, .* Set DEFAULT_ROLE=none, or REGISTRATION=closed\.$/

  it('with open registration and a default role starts with a warning', async () => {
    const { log } = await startServer(undefined, { DEFAULT_ROLE: 'viewer', HOST: '0.0.0.0' })
    const warnings = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
    assert.equal(warnings.length, 1)
    assert.match(warnings[0].msg, warning)
    for (const env of [{ HOST: '::' }, { TRUST_PROXY: '1' }]) {
      const { warnings } = await checked('', { DEFAULT_ROLE: 'viewer', ...env })
      assert.equal(warnings.length, 1)
      assert.match(warnings[0], warning)
    }
  })

  it('warns of nothing on this machine alone, without a role, or with registration closed', async () => {
    const settings = [
      { DEFAULT_ROLE: 'viewer' },
      { DEFAULT_ROLE: 'viewer', HOST: 'localhost' },
      { HOST: '0.0.0.0' },
      { DEFAULT_ROLE: 'viewer', HOST: '0.0.0.0', REGISTRATION: 'closed' },
    ]
    for (const env of settings) assert.deepEqual((await checked('', env)).warnings, [])
  })
})
