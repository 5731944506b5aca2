// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { parseEnv } from 'node:util'
import { fileFaults, nameWarnings } from '../src/config/settings-file.ts'
import { readConfig } from '../src/config.ts'
import { temporaryFile, temporaryFolder } from './cleanup.ts'
import { projectFolder } from './server.ts'

const folder = join(projectFolder, 'deploy')
const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')

/** The first group of a pattern that must be there, as a number. */
function number(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1]
  assert.ok(found, `no ${pattern}`)
  return Number(found)
}

/** What each file sets for the program, by the names that `readConfig` reads. */
const settingsOf: Readonly<Record<string, () => Record<string, string | undefined>>> = {
  Dockerfile: () => pairs(/^ENV ((?:.*\\\n)*.*)/m.exec(read('deploy/Dockerfile'))?.[1] ?? ''),
  'compose.yaml': () => {
    const block = /environment: &settings\n((?: {4}\S.*\n)+)/.exec(read('deploy/compose.yaml'))?.[1] ?? ''
    return Object.fromEntries(
      [...block.matchAll(/(\w+): '?([^'\n]*)'?/g)].map(([, name, value]) => [name, value]),
    )
  },
  'registrar.service': () =>
    pairs(
      [...read('deploy/registrar.service').matchAll(/^Environment=(.*)/gm)].map(([, line]) => line).join(' '),
    ),
  'registrar.env': () => parseEnv(read('deploy/registrar.env')),
}

function pairs(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))
}

const known = new Set<string>()
readConfig(new Proxy({}, { get: (_, name) => void known.add(String(name)) }))
const nodesOwn = ['NODE_ENV', 'NODE_COMPILE_CACHE']

describe('deploy/', () => {
  for (const [file, settings] of Object.entries(settingsOf)) {
    it(`${file} asks for strong passwords, leaves no door to a first administrator, and drains`, () => {
      const { PASSWORD_POLICY, FIRST_ADMIN, DRAIN_SECONDS } = settings()
      assert.deepEqual([PASSWORD_POLICY, FIRST_ADMIN, DRAIN_SECONDS], ['strict', 'off', '5'])
    })

    it(`${file} sets what the program knows, to values that it takes`, () => {
      const names = Object.keys(settings()).filter((name) => !nodesOwn.includes(name))
      assert.deepEqual(
        names.filter((name) => !known.has(name)),
        [],
      )
      readConfig(settings())
    })
  }

  it('registrar.env has no name that is refused or warned of, where its examples are set too', () => {
    const file = read('deploy/registrar.env')
    const all = file.replaceAll(/^#(?=[A-Z_]+=)/gm, '').replace(/^DATABASE_URL=.*\n/m, '')
    for (const text of [file, all])
      assert.deepEqual([fileFaults(text, () => true), nameWarnings([], text)], [[], []])
  })

  it('holds no password and no token: secrets come from files that are not kept with it', () => {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { name } of files) {
      const urls = [...read(`deploy/${name}`).matchAll(/postgres(?:ql)?:\/\/[^:/\s]+:([^@\s]+)@/g)]
      for (const [, password] of urls) assert.match(password!, /^(PASSWORD|\$\(cat \w+\))$/, name)
      assert.doesNotMatch(
        read(`deploy/${name}`),
        /^\s*(POSTGRES_PASSWORD|TOKEN_SECRET|PGPASSWORD)\s*[:=]/m,
        name,
      )
    }
    assert.match(read('deploy/.gitignore'), /^\/secrets\/$/m)
  })

  it('keeps the folder that operating.md has made out of git and out of the image, wherever it was made', (t) => {
    assert.match(read('docs/operating.md'), /^mkdir -m 0700 secrets$/m)
    assert.match(read('.gitignore'), /^\/secrets\/$/m)
    assert.doesNotMatch(read('deploy/Dockerfile.dockerignore'), /^!.*secrets/m)
    assert.match(read('deploy/Dockerfile.dockerignore'), /^\*$/m)
    const files = ['secrets/owner_password', 'deploy/secrets/owner_password']
    const git = spawnSync('git', ['check-ignore', ...files], { cwd: projectFolder, encoding: 'utf8' })
    if (git.error !== undefined || git.status === 128) return t.skip('this is no clone of git')
    assert.deepEqual(git.stdout.trim().split('\n'), files)
  })

  it('stops processes later than the program stops by itself, and takes them out of rotation sooner than they go', () => {
    const drainSeconds = 5
    const openRequestsSeconds = 10
    const unit = read('deploy/registrar.service')
    const compose = read('deploy/compose.yaml')
    const instance = /x-instance:.*?\n\n/s.exec(compose)?.[0] ?? ''
    assert.ok(number(unit, /^TimeoutStopSec=(\d+)s$/m) > drainSeconds + openRequestsSeconds)
    assert.ok(number(instance, /stop_grace_period: (\d+)s/) > drainSeconds + openRequestsSeconds)
    const nginx = read('deploy/nginx.conf')
    const upstream = /upstream registrar \{[^}]*\}/.exec(nginx)?.[0] ?? ''
    assert.ok(number(upstream, /keepalive_timeout (\d+)s;/) < drainSeconds)
    const haproxy = read('deploy/haproxy.cfg')
    const checks = number(haproxy, /check inter (\d+)s/) * number(haproxy, /check inter \d+s fall (\d+)/)
    assert.ok(checks + number(haproxy, /timeout check (\d+)s/) < drainSeconds)
  })

  it('leaves to the compiler of V8 the memory that it writes and runs', () => {
    assert.doesNotMatch(read('deploy/registrar.service'), /^MemoryDenyWriteExecute=/m)
  })

  it('lets threads that work on files lower their priority, which ends them where it is forbidden', () => {
    const unit = read('deploy/registrar.service')
    assert.match(unit, /^SystemCallFilter=~.*@resources.*\n(?:#.*\n)*SystemCallFilter=setpriority$/m)
  })

  it('shows to the image build what the Dockerfile copies, and nothing else', () => {
    const lines = read('deploy/Dockerfile.dockerignore').split('\n')
    const shown = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    const copies = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)]
    const copied = copies.flatMap(([, names]) => names!.split(' '))
    assert.deepEqual([...shown].sort(), [...new Set(copied)].sort())
    for (const name of copied) assert.ok(statSync(join(projectFolder, name)), name)
  })

  it('is YAML without tabs, whose aliases, secrets and configs are defined', () => {
    const compose = read('deploy/compose.yaml')
    assert.doesNotMatch(compose, /\t/)
    for (const line of compose.split('\n')) assert.equal(/^ */.exec(line)![0].length % 2, 0, line)
    const anchors = [...compose.matchAll(/&(\w+)/g)].map(([, name]) => name)
    for (const [, alias] of compose.matchAll(/: \*(\w+)/g)) assert.ok(anchors.includes(alias), alias)
    const [services = '', definitions = ''] = compose.split(/^networks:\n/m)
    const used = [
      ...[...services.matchAll(/source: (\w+)/g)].map(([, name]) => name!),
      ...[...services.matchAll(/secrets: \[(.*)\]/g)].flatMap(([, names]) => names!.split(', ')),
    ]
    assert.ok(used.length >= 10)
    for (const name of used) assert.match(definitions, new RegExp(`^  ${name}: \\{ file: `, 'm'))
  })
})

/** Runs a program on a file of `deploy/`; skips the test where the machine lacks the program. */
function check(t: TestContext, program: string, args: readonly string[]): void {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    t.skip(`${program} is not on this machine, so the file is not checked by it`)
    return
  }
  assert.equal(status, 0, `${error ?? ''}${stdout}${stderr}`)
}

/** A copy of `deploy/` with secrets made, or undefined where openssl is missing. */
function copyWithSecrets(t: TestContext): string | undefined {
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.startsWith(join(folder, 'secrets')) })
  if (spawnSync('openssl', ['version']).error) {
    t.skip('openssl is not on this machine, so no secrets are made')
    return undefined
  }
  const { status, stderr } = spawnSync(join(copy, 'make-secrets.sh'), { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return copy
}

describe('deploy/, as the tools read it', { skip: process.platform === 'win32' }, () => {
  it('make-secrets.sh makes what compose.yaml mounts, in a closed folder, and overwrites nothing', (t) => {
    const copy = copyWithSecrets(t)
    if (copy === undefined) return
    const mounted = [...read('deploy/compose.yaml').matchAll(/file: secrets\/(\S+)/g)].map(([, name]) => name)
    assert.deepEqual(readdirSync(join(copy, 'secrets')).sort(), mounted.sort())
    assert.equal(statSync(join(copy, 'secrets')).mode & 0o777, 0o700)
    const url = /^DATABASE_URL=(.+)\n$/.exec(readFileSync(join(copy, 'secrets', 'server.env'), 'utf8'))?.[1]
    readConfig({ DATABASE_URL: url })
    assert.equal(spawnSync(join(copy, 'make-secrets.sh')).status, 1)
  })

  it('registrar.service passes systemd-analyze verify', (t) => {
    const unit = temporaryFile(
      'registrar.service',
      read('deploy/registrar.service').replace('/usr/bin/node', process.execPath),
    )
    check(t, 'systemd-analyze', ['verify', '--man=no', unit])
  })

  it('nginx.conf passes nginx -t', (t) => {
    const copy = copyWithSecrets(t)
    if (copy === undefined) return
    const conf = join(copy, 'nginx.conf')
    const text = read('deploy/nginx.conf')
      .replaceAll('/tmp/', `${copy}/`)
      .replaceAll('/run/secrets/', `${copy}/secrets/`)
      .replace('/dev/stdout', join(copy, 'access.log')) // which can't be opened where it is a socket
      .replaceAll(/registrar-\d:3000 resolve/g, '127.0.0.1:3000') // older ones can't look names up later
    writeFileSync(conf, text)
    check(t, 'nginx', ['-t', '-q', '-c', conf])
  })

  it('haproxy.cfg passes haproxy -c', (t) => {
    const copy = copyWithSecrets(t)
    if (copy === undefined) return
    const pem = ['tls.crt', 'tls.key']
      .map((name) => readFileSync(join(copy, 'secrets', name), 'utf8'))
      .join('')
    writeFileSync(join(copy, 'registrar.pem'), pem)
    const cfg = read('deploy/haproxy.cfg').replace('/etc/haproxy/registrar.pem', join(copy, 'registrar.pem'))
    writeFileSync(join(copy, 'haproxy.cfg'), cfg)
    check(t, 'haproxy', ['-c', '-f', join(copy, 'haproxy.cfg')])
  })

  it('the Dockerfiles pass hadolint', (t) => {
    // DL3008: Debian's archive keeps only the newest version of a package, so none is pinned.
    const files = ['Dockerfile', 'pgbouncer.Dockerfile'].map((name) => join(folder, name))
    check(t, 'hadolint', ['--ignore', 'DL3008', ...files])
  })

  it('compose.yaml passes docker compose config', (t) => {
    if (spawnSync('docker', ['compose', 'version']).status !== 0) {
      t.skip('docker compose is not on this machine, so the file is not checked by it')
      return
    }
    const copy = copyWithSecrets(t)
    if (copy !== undefined)
      check(t, 'docker', ['compose', '--file', join(copy, 'compose.yaml'), 'config', '--quiet'])
  })
})
