// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { atEnd, temporaryFolder } from '../../test/cleanup.ts'
import type { FoundPage, PageRead } from './sqlite-reader.ts'
import { SqliteReaders } from './sqlite-readers.ts'

/** Pages of some time: 300 ms and more, a tenth of it, hardly any. They give how many steps, and how many marks there were when they began. */
const [long, short, none] = [3_000_000, 300_000, 1]

function page(steps: number): PageRead {
  const sql = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
    select 1 as count, cast(json_array(max(i), (select count(*) from marks)) as blob) as json from n`
  const total = { sql: 'select 1 as total', parameters: [] }
  return { page: { sql, parameters: [steps] }, total, limit: 20, offset: 0 }
}

/** The threads that were started, each known one turn later. */
const started: Worker[] = []
process.on('worker', (worker) => void started.push(worker))

function open({ maxWaitMs = 60_000 } = {}) {
  const path = join(temporaryFolder(), 'marks.db')
  const writer = new DatabaseSync(path)
  writer.exec('pragma journal_mode = wal; create table marks (id integer primary key)')
  const readers = new SqliteReaders(path, { maxWaitMs })
  const startedBefore = started.length
  atEnd(async () => {
    await readers.close().catch(() => {})
    writer.close()
  })
  const workers = () => started.slice(startedBefore)
  const pageBeside = async (read: PageRead) => (await readers.pageBeside(read)).found
  const asPromised = { pageBeside, close: () => readers.close() }
  return { path, readers: asPromised, workers, mark: () => writer.exec('insert into marks default values') }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const unavailable = { name: 'DatabaseUnavailableError' }

/** A promise, and whether it is settled. */
function watch<Value>(answer: Promise<Value>) {
  const watched = { answer, isSettled: false }
  const settle = () => {
    watched.isSettled = true
  }
  answer.then(settle, settle)
  return watched
}

/** What such a page says. */
function told({ json }: FoundPage): unknown {
  return JSON.parse(Buffer.from(json).toString())
}

describe('pages that may take long', () => {
  it('are read beside the event loop, which turns meanwhile', async () => {
    const { readers } = open()
    const unknown = watch(readers.pageBeside(page(short)))
    let turns = 0
    for (; !unknown.isSettled; turns++) await turn()
    assert.ok(turns > 10, `${turns} turns`)
    assert.deepEqual(told(await unknown.answer), [short, 0])
  })

  it('are read in the order of arrival, each with what is committed by then', async () => {
    const { readers, mark } = open()
    await Promise.all([1, 2].map(() => readers.pageBeside(page(none))))
    const first = watch(readers.pageBeside(page(long)))
    const finished: number[] = []
    const names = [0, 1, 2, 3, 4]
    const answers = names.map((i) => readers.pageBeside(page(none)).then(() => finished.push(i)))
    await Promise.all(answers)
    assert.deepEqual(finished, names)
    mark()
    assert.deepEqual(told(await readers.pageBeside(page(none))), [none, 1])
    assert.ok(!first.isSettled)
    await first.answer
  })

  it('are refused when no thread was free in time, while those that are read take their time', async () => {
    const { readers } = open({ maxWaitMs: 1 })
    const running = [1, 2].map(() => watch(readers.pageBeside(page(long))))
    await assert.rejects(readers.pageBeside(page(none)), {
      ...unavailable,
      message: 'the reading threads are busy',
    })
    assert.deepEqual(
      running.map(({ isSettled }) => isSettled),
      [false, false],
    )
    await Promise.all(running.map(({ answer }) => answer))
    assert.equal((await readers.pageBeside(page(none))).total, 1)
  })

  it('that fail say how, by SQLite’s code, and the thread reads on', async () => {
    const { readers, workers } = open()
    const overflow = { ...page(none), page: { sql: 'select abs(-9223372036854775807 - 1)', parameters: [] } }
    const nowhere = { ...page(none), page: { sql: 'select * from nowhere', parameters: [] } }
    for (const read of [overflow, nowhere]) {
      await assert.rejects(readers.pageBeside(read), { name: 'SqliteThreadError', errcode: 1 })
    }
    assert.equal((await readers.pageBeside(page(none))).total, 1)
    assert.equal(workers().length, 1)
  })
})

describe('a reading thread that dies', () => {
  it('refuses the page that it read; those that waited are read by new threads', async () => {
    const { readers, workers } = open()
    const running = [1, 2].map(() => readers.pageBeside(page(long)))
    const refused = running.map((answer) =>
      assert.rejects(answer, { ...unavailable, message: /^a reading thread is lost: / }),
    )
    const waiting = [1, 2, 3].map(() => readers.pageBeside(page(none)))
    await turn()
    const [one, two] = workers()
    await Promise.all([one!.terminate(), two!.terminate(), ...refused])
    for (const { total } of await Promise.all(waiting)) assert.equal(total, 1)
    assert.equal((await readers.pageBeside(page(none))).total, 1)
    assert.equal(workers().length, 4)
  })

  it('as the file cannot be opened, refuses one page each, and the next is read when the file is back', async () => {
    const { readers, path } = open()
    renameSync(path, `${path}.away`)
    const pages = Array.from({ length: 5 }, () => readers.pageBeside(page(none)))
    const outcomes = await Promise.allSettled(pages)
    for (const outcome of outcomes) {
      assert.equal(outcome.status, 'rejected')
      assert.equal(outcome.reason.name, unavailable.name)
      assert.match(outcome.reason.message, /unable to open database file/)
    }
    renameSync(`${path}.away`, path)
    assert.equal((await readers.pageBeside(page(none))).total, 1)
  })
})

describe('closing the readers', () => {
  it('waits for what is read, refuses what waits and what comes, and leaves no thread', async () => {
    const { readers, workers } = open()
    const running = [1, 2].map(() => readers.pageBeside(page(short)))
    const waiting = [1, 2].map(() => readers.pageBeside(page(none)))
    const refused = waiting.map((answer) => assert.rejects(answer, unavailable))
    const closing = readers.close()
    const late = assert.rejects(readers.pageBeside(page(none)), unavailable)
    for (const answer of running) assert.equal((await answer).total, 1)
    await Promise.all([closing, late, ...refused])
    assert.deepEqual(
      workers().map(({ threadId }) => threadId),
      [-1, -1],
    )
    await assert.rejects(readers.pageBeside(page(none)), unavailable)
    assert.equal(workers().length, 2)
  })

  it('works when a thread dies meanwhile', async () => {
    const { readers, workers } = open()
    const refused = assert.rejects(readers.pageBeside(page(short)), unavailable)
    await turn()
    const closing = readers.close()
    void workers()[0]!.terminate()
    await Promise.all([closing, refused])
  })

  it('is not needed for the process to end', () => {
    const file = join(temporaryFolder(), 'reading.mjs')
    const { path } = open()
    writeFileSync(
      file,
      `import { SqliteReaders } from ${JSON.stringify(import.meta.resolve('./sqlite-readers.ts'))}
      const readers = new SqliteReaders(${JSON.stringify(path)})
      const read = ${JSON.stringify(page(none))}
      const pages = await Promise.all([1, 2].map(() => readers.pageBeside(read)))
      console.log(pages.map(({ found }) => found.total).join())`,
    )
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    assert.deepEqual([status, stdout, stderr], [0, '1,1\n', ''])
  })
})
