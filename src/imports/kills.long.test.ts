// Waits for timers: it begins early.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../../bench/random.ts'
import { engine } from '../../test/engine.ts'
import { Importer } from '../../test/import-calls.ts'
import { openSchool } from '../../test/school.ts'
import { firstAdministrator, type ServerProcess, startServer } from '../../test/server.ts'
import { openDatabase } from '../db/open.ts'
import type { Db } from '../db/tables.ts'

/** A SQLite file has one server, and each kill there waits for its start. */
const [instances, usualKills] = engine === 'postgres' ? [3, '50'] : [1, '15']

/** How often an instance is killed, and from which seed the moments come. */
const { IMPORT_KILLS = usualKills, IMPORT_KILLS_SEED: seed = '1' } = process.env
const kills = Number(IMPORT_KILLS)

/** How often amid each step. */
const killsAmid: Readonly<Record<string, number>> = {
  send: Math.ceil(kills * 0.4),
  apply: Math.ceil(kills * 0.4),
  undo: Math.ceil(kills * 0.2),
}

/** How many imports there are: each is sent and applied, and every other one undone. */
const imports = 2 * killsAmid.undo! + 2
const [newRows, changedRows] = [300, 10]

/** How long it may all take, in milliseconds. */
const longestMs = 300_000

/** How long a step takes at the most before its instance is killed, in milliseconds. */
const within: Readonly<Record<string, number>> = { send: 900, apply: 500, undo: 500 }

const header = 'admission_number,name,class,guardian_1_name,guardian_1_phone\n'
const rowsOf = (prefix: string, count: number, name: string) =>
  Array.from(
    { length: count },
    (_, i) => `${prefix}n${i},${name} ${prefix}x${i},Class ${1 + (i % 12)},Jo ${i},0${i}\n`,
  )

/** What is there before. */
const base =
  header +
  Array.from({ length: imports }, (_, i) => rowsOf(`base${i}`, changedRows, 'Be Fore').join('')).join('')
const fileOf = (i: number) =>
  header + [...rowsOf(`base${i}`, changedRows, 'Af Ter'), ...rowsOf(`new${i}`, newRows, 'Ne W')].join('')

/** What is in the records and in the log, whatever their ids are. */
async function stateOf(db: Db) {
  const students = await db
    .selectFrom('students')
    .select(['admission_number', 'name', 'class_id', 'version', 'guardians'])
    .orderBy('admission_number')
    .execute()
  const logged = await db
    .selectFrom('events')
    .innerJoin('change_sets', 'change_sets.id', 'events.change_set_id')
    .select((q) => ['kind', 'record', 'action', q.fn.countAll<number>().as('count')])
    .where('kind', 'in', ['import', 'undo'])
    .groupBy(['kind', 'record', 'action'])
    .orderBy('kind')
    .orderBy('action')
    .execute()
  const counted = await db
    .selectFrom('class_counts')
    .select((q) => ['class_id', q.fn.sum<number>('students').as('count')])
    .groupBy('class_id')
    .orderBy('class_id')
    .execute()
  const sets = await db
    .selectFrom('change_sets')
    .select((q) => ['kind', q.fn.countAll<number>().as('count')])
    .where('kind', 'in', ['import', 'undo'])
    .groupBy('kind')
    .orderBy('kind')
    .execute()
  const numbers = (rows: readonly object[]) =>
    rows.map((row) => ({ ...row, count: Number((row as { count: number }).count) }))
  return { students, logged: numbers(logged), counted: numbers(counted), sets: numbers(sets) }
}

/** The same imports where nothing is killed. */
async function undisturbed() {
  const school = await openSchool()
  const importer = new Importer(school, await school.person('administrator'))
  await importer.applied(await importer.planned(base))
  for (let i = 0; i < imports; i++) {
    const { id } = await importer.applied(await importer.planned(fileOf(i)))
    if (i % 2 === 0) await importer.undone(id)
  }
  return stateOf(school.db)
}

/** Instances on one database, of which one after the other is killed and started again. */
class Fleet {
  readonly #servers: (ServerProcess | undefined)[]
  readonly #databaseUrl: string
  readonly token: string

  constructor(first: readonly ServerProcess[], token: string) {
    this.#servers = [...first]
    this.#databaseUrl = first[0]!.databaseUrl
    this.token = token
  }

  /** One that serves. */
  async any(random: () => number): Promise<ServerProcess> {
    for (;;) {
      const there = this.#servers.filter((one) => one !== undefined)
      if (there.length > 0) return there[Math.floor(random() * there.length)]!
      await pause(20)
    }
  }

  async kill(server: ServerProcess): Promise<void> {
    const at = this.#servers.indexOf(server)
    this.#servers[at] = undefined
    await server.end('SIGKILL')
    void startServer(this.#databaseUrl).then((next) => {
      this.#servers[at] = next
    })
  }

  async call(server: ServerProcess, method: string, path: string, more: RequestInit = {}) {
    const headers = { authorization: `Bearer ${this.token}`, ...more.headers }
    const answer = await fetch(`${server.url}${path}`, { ...more, method, headers })
    // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
    return { status: answer.status, tag: answer.headers.get('etag')!, body: (await answer.json()) as any }
  }

  /** Reads from whoever serves. */
  async get(path: string) {
    for (;;) {
      const server = await this.any(Math.random)
      const answer = await this.call(server, 'GET', path).catch(() => undefined)
      if (answer?.status === 200) return answer
      await pause(50)
    }
  }

  /** Ends all of them. */
  async end(): Promise<void> {
    while (this.#servers.some((one) => one === undefined)) await pause(50)
    for (const server of this.#servers) await server!.end('SIGTERM')
  }
}

interface Driven {
  readonly number: number
  /** Undefined: it is still to be sent. */
  id?: number
  done?: boolean
}

/** Asks for the next step of an import. */
async function step(fleet: Fleet, server: ServerProcess, one: Driven, action: string) {
  const path = `/api/imports/${one.id}`
  if (action === 'send') {
    const headers = { 'content-type': 'text/csv' }
    const { status, body } = await fleet.call(server, 'POST', '/api/imports', {
      headers,
      body: fileOf(one.number),
    })
    if (status === 202) one.id = body.data.id
    return
  }
  const { tag } = await fleet.call(server, 'GET', path)
  const headers = { 'if-match': tag, ...(action === 'apply' && { 'content-type': 'application/json' }) }
  const { status, body } = await fleet.call(server, 'POST', `${path}/${action}`, {
    headers,
    ...(action === 'apply' && { body: '{}' }),
  })
  // By a request whose answer was lost, the step may be at work already.
  const isKnown = status === 202 || ['import_state', 'precondition_failed'].includes(body.code)
  assert.ok(isKnown || status === 503, `${one.number} ${action}: ${JSON.stringify(body)}`)
}

describe('imports whose instances are killed again and again', () => {
  it('come to the end that they have undisturbed: nothing is left out, nothing is done twice', async (t) => {
    const random = seededRandom(Number(seed))
    const expected = undisturbed()
    expected.catch(() => {}) // told at the end
    const first = await startServer()
    const others = Array.from({ length: instances - 1 }, () => startServer(first.databaseUrl))
    const fleet = new Fleet([first, ...(await Promise.all(others))], await firstAdministrator(first))
    const began = performance.now()

    const of = async (one: Driven) =>
      one.id === undefined ? undefined : (await fleet.get(`/api/imports/${one.id}`)).body.data
    const studentsOf = async (prefix: string) =>
      (await fleet.get(`/api/students?search=${prefix}n&per_page=1`)).body.pagination.total

    /** What is to be done next with an import; undefined: a step is at work, or nothing. */
    async function nextOf(one: Driven): Promise<string | undefined> {
      const shown = await of(one)
      if (shown === undefined) return 'send'
      const { state, failure } = shown
      if (['reading', 'applying', 'undoing'].includes(state)) return undefined
      const there = await studentsOf(`new${one.number}`)
      const isUndone = one.number % 2 === 0
      assert.ok(
        ['planned', 'applied', 'undone'].includes(state),
        `${one.number}: ${state} ${JSON.stringify(failure)}`,
      )
      assert.equal(there, state === 'applied' ? newRows : 0, `${one.number} is ${state}`)
      if (state === 'planned') return 'apply'
      if (state === 'applied' && isUndone) return 'undo'
      one.done = true
      return undefined
    }

    const before: Driven = { number: -1 }
    const sent = await fleet.call(first, 'POST', '/api/imports', {
      headers: { 'content-type': 'text/csv' },
      body: base,
    })
    before.id = sent.body.data.id
    while ((await of(before)).state !== 'planned') await pause(50)
    await step(fleet, first, before, 'apply')
    while ((await of(before)).state !== 'applied') await pause(50)

    const all: Driven[] = Array.from({ length: imports }, (_, number) => ({ number }))
    let killed = 0
    const moments: Record<string, number> = {}
    for (let turn = 0; all.some(({ done }) => !done); turn++) {
      assert.ok(performance.now() - began < longestMs, 'it comes to no end')
      const one = all[turn % imports]!
      const action = one.done ? undefined : await nextOf(one)
      if (action === undefined) {
        if (turn % imports === imports - 1) await pause(100)
        continue
      }
      const server = await fleet.any(random)
      const asked = step(fleet, server, one, action).catch((error) => {
        if (error instanceof assert.AssertionError) throw error // others: the instance was killed
      })
      asked.catch(() => {})
      const amid = moments[action] ?? 0
      if (amid < killsAmid[action]!) {
        killed++
        moments[action] = amid + 1
        await pause(random() * within[action]!)
        await fleet.kill(server)
      }
      await asked
    }
    await fleet.end()
    t.diagnostic(
      `${killed} kills in ${Math.round((performance.now() - began) / 1000)} s: ${JSON.stringify(moments)}`,
    )
    assert.ok(killed >= kills, `only ${killed} were killed`)
    const db = await openDatabase(first.databaseUrl)
    const after = await stateOf(db)
    await db.destroy()
    assert.deepEqual(after, await expected)
  })
})
