// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from './cleanup.ts'
import { migratedDatabaseUrl, newDatabaseUrl } from './engine.ts'
import { launcher, projectFolder, serverEnvironment, startServer } from './server.ts'

/**
 * Says, when a thread ends, what it has loaded, what V8 was told and how large the young generation was then, and how
 * large it was at most.
 */
const confession = `data:text/javascript,${encodeURIComponent(`
  const { registerHooks } = process.getBuiltinModule('node:module')
  const { PerformanceObserver } = process.getBuiltinModule('node:perf_hooks')
  const v8 = process.getBuiltinModule('node:v8')
  const { getHeapSpaceStatistics, setFlagsFromString } = v8
  const youngMb = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20
  const flags = []
  v8.setFlagsFromString = (flag) => setFlagsFromString(flag, flags.push({ flag, youngMb: youngMb() }))
  process.getBuiltinModule('node:module').syncBuiltinESMExports()
  let mostYoungMb = 0
  const look = () => (mostYoungMb = Math.max(mostYoungMb, youngMb()))
  new PerformanceObserver(look).observe({ entryTypes: ['gc'] })
  const { isMainThread } = process.getBuiltinModule('node:worker_threads')
  const packages = new Set()
  registerHooks({ load(url, context, next) {
    const [first, second] = url.split('/node_modules/').at(-1).split('/')
    packages.add(first.startsWith('@') ? first + '/' + second : first)
    return next(url, context)
  } })
  process.on('exit', () => process.getBuiltinModule('node:fs').writeSync(1, JSON.stringify({
    isMainThread,
    packages: [...packages],
    flags,
    builtins: process.moduleLoadList.filter((name) => name.includes('/deps/')),
    mostYoungMb: look(),
  }) + '\\n'))`)}`

interface Confession {
  readonly isMainThread: boolean
  readonly packages: readonly string[]
  readonly flags: readonly { readonly flag: string; readonly youngMb: number }[]
  /** Those that Node carries of others. */
  readonly builtins: readonly string[]
  readonly mostYoungMb: number
}

/** Serves a database of SQLite for a moment. @returns what the server's main thread held, and what its others did */
async function whatServes(nodeOptions = ''): Promise<{ main: Confession; others: Confession[] }> {
  const env = { NODE_OPTIONS: `--import=${confession} ${nodeOptions}` }
  const server = await startServer(await newDatabaseUrl(), env)
  await fetch(`${server.url}/api/health`, { headers: { connection: 'close' } }) // which leaves nothing to wait for
  await server.end('SIGTERM')
  const said = server.log.filter((line) => line.includes('"isMainThread"'))
  const { main, others } = Object.groupBy(
    said.map((line): Confession => JSON.parse(line)),
    ({ isMainThread }) => (isMainThread ? 'main' : 'others'),
  )
  return { main: main![0]!, others: others! }
}

/** What served the first time that it was asked. */
let served: ReturnType<typeof whatServes> | undefined
const whatServed = () => (served ??= whatServes())

describe('registrar.js', () => {
  it('says in one sentence what is missing before npm ci, and exits with 1', () => {
    const folder = temporaryFolder()
    copyFileSync(launcher, join(folder, 'registrar.js'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'registrar.js'), 'serve'], {
      encoding: 'utf8',
    })
    assert.equal(status, 1)
    assert.match(stderr, /^Registrar is not installed yet: run "npm ci" in its folder\.\n$/)
  })

  it('reads .env of the folder where it starts; the environment wins', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.env'), 'LOG_LEVEL=loud\nPORT=80000\n')
    const env = { ...serverEnvironment(await newDatabaseUrl()), PORT: '0' }
    const { status, stderr } = spawnSync(process.execPath, [launcher, 'serve'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    assert.equal(status, 1)
    assert.match(stderr, /LOG_LEVEL must be/)
    assert.doesNotMatch(stderr, /PORT/)
  })

  it('says in one sentence that .env is a folder, and exits with 1', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.env'))
    const { status, stderr } = spawnSync(process.execPath, [launcher, 'user', 'list'], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.equal(status, 1)
    assert.match(stderr, /^The settings in \.env can't be read: [^\n]+\n$/)
  })

  it('starts a server that is healthy within ten times the promised second, and then holds less than 200 MB', async () => {
    const databaseUrl = await migratedDatabaseUrl()
    const began = performance.now()
    const server = await startServer(databaseUrl)
    const answer = await fetch(`${server.url}/api/health`)
    assert.equal(answer.status, 200)
    assert.ok(performance.now() - began < 10_000)
    if (!existsSync('/proc/self')) return
    const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
    const residentMb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
    assert.ok(residentMb > 20 && residentMb < 200, `${residentMb} MB`)
  })

  it("keeps V8's young generation at its first size until it serves, unless Node's options set it", async () => {
    const growth = ({ flags }: Confession) => flags.filter(({ flag }) => flag.includes('semi-space-growth'))
    const { main } = await whatServed()
    const [kept, freed] = growth(main)
    assert.equal(kept!.flag, '--semi-space-growth-factor=1')
    assert.equal(freed!.flag, '--semi-space-growth-factor=4')
    assert.ok(freed!.youngMb <= 2 * kept!.youngMb, `${freed!.youngMb} MB`) // the second half comes with a collection
    const { main: asTold } = await whatServes('--max-semi-space-size=8')
    assert.ok(asTold.mostYoungMb > freed!.youngMb, `${asTold.mostYoungMb} MB`)
    assert.deepEqual(growth(asTold), [], 'nor under load')
  })

  it("serves with V8's old generation collected before it has grown much", async () => {
    const { main } = await whatServed()
    assert.ok(main.flags.some(({ flag }) => flag === '--heap-growing-percent=40'))
  })

  it('serves without what only other commands, the reference or a client need', async () => {
    await whatServed() // fills the cache of compiled code
    const { main, others } = await whatServes()
    assert.ok(main.packages.includes('fastify'))
    const ofFiles = ['csv-parse', 'saxes', 'yauzl', 'yazl'] // loaded with the first import or export
    for (const name of ['@fastify/swagger-ui', 'yaml', 'pino-pretty', 'pg', ...ofFiles])
      assert.ok(!main.packages.includes(name), name)
    for (const { builtins } of [main, ...others]) {
      assert.ok(!builtins.some((name) => name.includes('undici')), 'an HTTP client')
      assert.ok(
        !builtins.some((name) => name.includes('amaro')),
        'what strips types, though the cache is there',
      )
    }
  })

  it('keeps what Node compiles in a folder that the environment names, or beside the program', async () => {
    const folder = temporaryFolder()
    const askVersion = (env: Record<string, string> = {}) =>
      spawnSync(process.execPath, [launcher, '--version'], {
        ...{ cwd: folder, env: serverEnvironment('', env), encoding: 'utf8' },
      })
    const cache = join(folder, 'cache')
    assert.equal(askVersion({ NODE_COMPILE_CACHE: cache }).status, 0)
    assert.ok(readdirSync(cache).length > 0)
    const beside = join(projectFolder, 'node_modules', '.cache', 'registrar')
    assert.equal(askVersion().status, 0)
    assert.ok(readdirSync(beside).length > 0)
  })
})
