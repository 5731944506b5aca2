import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { promisify } from 'node:util'
import { makeTemplate, PostgresServer } from './postgres.ts'
import { makeSchema } from './schema.ts'

/*
 * npm test: every test file that touches a database runs on each engine, the others once; one progress, one
 * summary. DATABASES=sqlite narrows the engines, arguments narrow the files. With --long it runs what npm test leaves
 * out: the files named *.long.test.ts, and on PostgreSQL those that run in a browser.
 */

interface TestEvent {
  readonly type: string
  readonly data: {
    nesting?: number
    name?: string
    readonly message?: string
    readonly details?: { readonly error?: { readonly failureType?: string; readonly exitCode?: number } }
  }
}
type Environment = Readonly<Record<string, string>>

/** Files of tests that run in one process, on an engine. What is special about one, its first line says. */
interface Task {
  readonly files: readonly string[]
  readonly engine: string
  /** How many of the lanes it takes: what measures times has few neighbours. */
  readonly lanes: number
  /** When it begins, among those of as many lanes: first what takes minutes, then what starts processes, shows pages or waits, then all else. */
  readonly turn: (typeof turns)[number]
  /** Whether it has a process to itself: it looks at its process, or says something special. */
  readonly isAlone: boolean
  readonly isInBrowser: boolean
}

const turns = [1, 2, 3] as const

const projectFolder = join(import.meta.dirname, '..')
const launcher = join(projectFolder, 'registrar.js')

/** How many files run at once: one more than the processors of a small machine, since many tests wait. */
const allLanes = 3

/** How many files share a process: to load the modules takes longer than most files' tests. */
const filesTogether = 28

/** How many do that start processes of their own, which live as long as it does. */
const startersTogether = 5

/** A task that takes longer waits for what does not come, and is ended; the environment may allow more, in milliseconds. */
const { TEST_LONGEST_MS: longestMs = String(20 * 60_000) } = process.env

const began = performance.now()
const engines = (process.env.DATABASES ?? 'sqlite,postgres').split(',')
const isLongRun = process.argv.includes('--long')
const patterns = process.argv.slice(2).filter((argument) => argument !== '--long')
const isNamed = patterns.length > 0
const files = globSync(isNamed ? patterns : ['src/**/*.test.ts', 'test/**/*.test.ts']).sort()
const tasks = together(files.flatMap(tasksOf).filter(isOfThisRun)).sort(
  (a, b) => b.lanes - a.lanes || a.turn - b.turn || b.files.length - a.files.length,
)

function tasksOf(file: string): Task[] {
  const source = readFileSync(file, 'utf8')
  const said = /^\/\/ .*/.exec(source)?.[0] ?? ''
  const isForEach = /openSchool|startServer|openDatabase|onlyOn/.test(source) && !/Runs once/.test(said)
  return engines
    .filter((engine) => isForEach || engine === 'sqlite')
    .map((engine) => ({
      files: [file],
      engine,
      lanes: /measures times/i.test(said) ? 2 : 1,
      turn: turnOf(source, said),
      isAlone:
        isLongRun ||
        /mock\.|process\.(env|on|exit)|node:v8/.test(source) ||
        /measures times|waits for timers|alone|browser|of its own/i.test(
          said.replace('SQLite files alone', ''),
        ),
      isInBrowser: /in a browser/.test(said),
    }))
}

function turnOf(source: string, said: string): Task['turn'] {
  if (/takes minutes/.test(said)) return 1
  return /startServer|runCommand|runWell/.test(source) || /begins early|in a browser/.test(said) ? 2 : 3
}

/** Whether this run has a task: one that is asked for, or of its length. The short run has a browser on one engine. */
function isOfThisRun({ files: [file = ''], engine, isInBrowser }: Task): boolean {
  const isLong = file.endsWith('.long.test.ts') || (isInBrowser && engine === 'postgres')
  return isNamed || isLong === isLongRun
}

/** Puts files that mind no neighbour in one process, some at a time. */
function together(tasks: readonly Task[]): Task[] {
  const alone = tasks.filter(({ isAlone }) => isAlone)
  const grouped = engines.flatMap((engine) =>
    turns.flatMap((turn) => {
      const files = tasks
        .filter((task) => !task.isAlone && task.engine === engine && task.turn === turn)
        .flatMap(({ files }) => files)
      const most = turn === 3 ? filesTogether : startersTogether
      return Array.from({ length: Math.ceil(files.length / most) }, (_, i): Task => {
        const some = files.slice(i * most, (i + 1) * most)
        return { files: some, engine, lanes: 1, turn, isAlone: false, isInBrowser: false }
      })
    }),
  )
  return [...alone, ...grouped]
}

const output = new PassThrough({ objectMode: true })
const counts = new Map<string, number>()

/** Runs a task in a process of its own, and gives its events out when it has ended; its summary is added up. */
async function runTask({ files, engine }: Task, environment: Environment): Promise<void> {
  const events: TestEvent[] = []
  const asked = { TEST_ENGINE: engine, TEST_FILES: JSON.stringify(files), TEST_LONGEST_MS: longestMs }
  const env = { ...process.env, ...environment, ...asked }
  const running = run({ files: ['test/together.ts'], env })
  for await (const event of running as AsyncIterable<TestEvent>) {
    const { type, data } = event
    if (type === 'test:diagnostic' && data.nesting === 0) {
      const [, what, count] = /^(\w+) ([\d.]+)$/.exec(data.message ?? '') ?? []
      if (what) {
        counts.set(what, (counts.get(what) ?? 0) + Number(count))
        continue
      }
    }
    if (type === 'test:summary') continue
    if (data.nesting !== undefined && --data.nesting < 0) {
      // Of the suite that holds them, and of their process. What failed beside their tests is shown: an error that
      // nobody caught, a file that could not be loaded.
      const isSummary = data.details?.error?.failureType === 'subtestsFailed' || data.details?.error?.exitCode
      const isTold = isSummary && events.some(({ type }) => type === 'test:fail')
      if (type !== 'test:diagnostic' && (type !== 'test:fail' || isTold)) continue
      data.nesting = 0
      data.name = files.join(', ')
    }
    if (data.nesting === 0 && data.name !== undefined) data.name = `[${engine}] ${data.name}`
    if (type === 'test:fail') process.exitCode = 1
    events.push(event)
  }
  for (const event of events) output.write(event)
}

/** Runs all tasks, as many at once as there are lanes: each as soon as there is room, and what it needs is made. */
async function runAll(environments: Readonly<Record<string, Promise<Environment>>>): Promise<void> {
  const ready = new Map<string, Environment>()
  const waiting = [...tasks]
  const running = new Set<Promise<unknown>>()
  const begin = (work: Promise<unknown>) => {
    const ended = work.finally(() => running.delete(ended))
    running.add(ended)
  }
  for (const [engine, environment] of Object.entries(environments))
    begin(environment.then((made) => ready.set(engine, made)))

  let free = allLanes
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(({ engine, lanes }) => lanes <= free && ready.has(engine))
    if (next === -1) {
      await Promise.race(running)
      continue
    }
    const [task] = waiting.splice(next, 1) as [Task]
    free -= task.lanes
    begin(runTask(task, ready.get(task.engine)!).finally(() => (free += task.lanes)))
  }
}

/** Writes what each answer is checked against: derived here once, not by every process. */
async function describeApi(): Promise<Environment> {
  const file = join(folder, 'openapi.json')
  await promisify(execFile)(process.execPath, [launcher, 'openapi', '--out', file], { cwd: folder })
  return { TEST_OPENAPI: file }
}

const folder = mkdtempSync(join(tmpdir(), 'registrar-tests-'))
const cleanUp: (() => unknown)[] = [() => rmSync(folder, { recursive: true })]

async function prepareSqlite(): Promise<Environment> {
  const file = join(folder, 'school.db')
  await makeSchema(`sqlite:${file}`)
  return { ...(await described), TEST_SQLITE: file }
}

async function preparePostgres(): Promise<Environment> {
  const server = await PostgresServer.start(['max_connections=600'])
  cleanUp.push(() => server.remove())
  await makeTemplate(server, 'school')
  return { ...(await described), TEST_POSTGRES: server.url('postgres') }
}

// What Node compiles is kept, as the launcher keeps it, but elsewhere: the launcher sets flags of V8, which takes compiled
// code only under the flags that it was written under. In one folder, each start would write all of it anew.
process.env.NODE_COMPILE_CACHE ||= join(projectFolder, 'node_modules', '.cache', 'registrar-tests')
const described = describeApi()
output.compose(new spec()).pipe(process.stdout)
try {
  await runAll({
    sqlite: prepareSqlite(),
    ...(tasks.some(({ engine }) => engine === 'postgres') && { postgres: preparePostgres() }),
  })
} finally {
  for (const work of cleanUp) await work()
}
counts.set('duration_ms', performance.now() - began)
for (const [what, count] of counts)
  output.write({
    type: 'test:diagnostic',
    data: { nesting: 0, message: `${what} ${Math.round(count)}`, level: 'info' },
  })
output.end()
if ((counts.get('pass') ?? 0) === 0) process.exitCode = 1
