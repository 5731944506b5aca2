import { globSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { makeTemplate, PostgresServer } from './postgres.ts'

/*
 * npm test: every test file that touches a database runs on each engine, the others once; one progress, one
 * summary. DATABASES=sqlite narrows the engines, arguments narrow the files.
 */

type TestEvent = { type: string; data: { nesting?: number; file?: string; name?: string; message?: string } }

/** The migrated database that each test's own is copied from. */
const templateDatabase = 'school'

const engines = (process.env.DATABASES ?? 'sqlite,postgres').split(',')
const patterns = process.argv.slice(2)
const files = globSync(patterns.length > 0 ? patterns : ['src/**/*.test.ts', 'test/**/*.test.ts']).sort()
/** Whether a file's tests run on each engine. One that doesn't says so in its first line. */
function concernsEachEngine(file: string): boolean {
  const source = readFileSync(file, 'utf8')
  return /openSchool|startServer|openDatabase|onlyOn/.test(source) && !source.startsWith('// Runs once')
}

const counts = new Map<string, number>()
const began = performance.now()

/** The events of one engine's run; its own summary is added to the common one. */
async function* runOn(engine: string, env: Record<string, string>): AsyncGenerator<TestEvent> {
  const own = engine === 'sqlite' ? files : files.filter(concernsEachEngine)
  if (own.length === 0) return
  const stream = run({ files: own, concurrency: 2, env: { ...process.env, ...env } as NodeJS.ProcessEnv })
  for await (const event of stream as AsyncIterable<TestEvent>) {
    const { type, data } = event
    if (type === 'test:diagnostic' && data.nesting === 0) {
      const [, what, count] = /^(\w+) ([\d.]+)$/.exec(data.message ?? '') ?? []
      if (what) counts.set(what, (counts.get(what) ?? 0) + Number(count))
      continue
    }
    if (data.nesting === 0 && data.name !== undefined) data.name = `[${engine}] ${data.name}`
    yield event
  }
}

async function* runAll(): AsyncGenerator<TestEvent> {
  for (const engine of engines) {
    if (engine === 'sqlite') {
      yield* runOn(engine, { TEST_ENGINE: engine })
    } else {
      const server = await PostgresServer.start(['max_connections=300'])
      try {
        await makeTemplate(server, templateDatabase)
        yield* runOn(engine, { TEST_ENGINE: engine, TEST_POSTGRES: server.url('postgres') })
      } finally {
        await server.remove()
      }
    }
  }
  counts.set('duration_ms', performance.now() - began)
  for (const [what, count] of counts) {
    yield {
      type: 'test:diagnostic',
      data: { nesting: 0, message: `${what} ${Math.round(count)}`, level: 'info' },
    } as TestEvent
  }
}

const output = Readable.from(runAll()).compose(new spec())
output.pipe(process.stdout)
output.on('end', () => {
  if ((counts.get('fail') ?? 0) + (counts.get('cancelled') ?? 0) > 0 || (counts.get('pass') ?? 0) === 0)
    process.exitCode = 1
})
