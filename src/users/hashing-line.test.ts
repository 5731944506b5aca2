import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { beforeEach, describe, it, mock } from 'node:test'
import { Problem } from '../problems.ts'
import { type HashingLimits, HashingLine } from './hashing-line.ts'

/** Lets everything that is already decided happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A line in which each work runs until the test ends it; time moves as the test says. */
class Rehearsal {
  readonly line: HashingLine
  /** What runs now, in the order in which it began. */
  readonly running: string[] = []
  readonly began: string[] = []
  readonly refused: string[] = []
  readonly #ends = new Map<string, (error?: Error) => void>()
  readonly #frees = new Map<string, () => void>()

  constructor(limits: Partial<HashingLimits>) {
    this.line = new HashingLine({ slots: 1, ...limits })
  }

  /** Asks for a hash: `a1` is the client a's first. */
  ask(...names: string[]): void {
    this.askFor(undefined, ...names)
  }

  /** Asks for hashes for one account: they are of one pair where they are one client's. */
  askFor(account: string | undefined, ...names: string[]): void {
    for (const name of names) {
      const work = (freeSlot: () => void) =>
        new Promise<void>((resolve, reject) => {
          this.running.push(name)
          this.began.push(name)
          this.#frees.set(name, freeSlot)
          this.#ends.set(name, (error) => (error ? reject(error) : resolve()))
        })
      const client = name[0]!
      const asker = { client, ...(account !== undefined && { pair: `${account} ${client}` }) }
      this.line.run(asker, work).catch((error) => {
        if (error.code === 'overloaded') this.refused.push(name)
      })
    }
  }

  /** Lets the next hash begin, while this work goes on. */
  async free(name: string): Promise<void> {
    this.#frees.get(name)!()
    await settle()
  }

  async end(name: string, error?: Error): Promise<void> {
    this.#ends.get(name)!(error)
    this.running.splice(this.running.indexOf(name), 1)
    await settle()
  }

  /** Ends what runs, one after another, until nothing does. */
  async endAll(): Promise<void> {
    await settle()
    while (this.running.length > 0) await this.end(this.running[0]!)
  }
}

describe('the line where password hashes wait', () => {
  beforeEach(() => {
    mock.timers.reset()
    mock.timers.enable({ apis: ['setTimeout'] })
  })
  /** Lets time pass in steps, as a timer that another one sets would come late. */
  const pass = async (milliseconds: number) => {
    const step = Math.min(milliseconds, 500)
    mock.timers.tick(step)
    await settle()
    if (milliseconds > step) await pass(milliseconds - step)
  }

  it('runs as many at a time as it has slots, and gives back what the work gives', async () => {
    const rehearsal = new Rehearsal({ slots: 2 })
    rehearsal.ask('a1', 'a2', 'a3', 'b1')
    await settle()
    assert.deepEqual(rehearsal.running, ['a1', 'a2'])
    await rehearsal.end('a2')
    assert.deepEqual(rehearsal.running, ['a1', 'b1'])
    await rehearsal.end('a1')
    assert.deepEqual(rehearsal.running, ['b1', 'a3'])
    assert.equal(await new HashingLine().run({ client: 'a' }, async () => 42), 42)
  })

  it('serves the clients in turn, and each client in the order in which it asked', async () => {
    const rehearsal = new Rehearsal({})
    rehearsal.ask('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')
    await rehearsal.endAll()
    assert.deepEqual(rehearsal.began, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('serves first who was served least of late, a whole classroom before the next of a flood', async () => {
    const rehearsal = new Rehearsal({})
    rehearsal.ask(...Array.from({ length: 12 }, (_, i) => `f${i}`))
    for (let i = 0; i < 6; i++) {
      await settle()
      await rehearsal.end(`f${i}`)
    }
    rehearsal.ask('c0', 'c1', 'c2')
    await rehearsal.endAll()
    assert.deepEqual(rehearsal.began.slice(6), ['f6', 'c0', 'c1', 'c2', 'f7', 'f8', 'f9', 'f10', 'f11'])
  })

  it('soon forgets who was served', async () => {
    const rehearsal = new Rehearsal({ maxWaitMs: 60_000 })
    rehearsal.ask('a0', 'a1', 'a2', 'a3')
    await rehearsal.endAll()
    for (let second = 0; second < 10; second++) await pass(1_000)
    rehearsal.ask('x0', 'a4', 'x1')
    await rehearsal.endAll()
    assert.deepEqual(rehearsal.began.slice(4), ['x0', 'a4', 'x1'])
  })

  it('serves a newcomer before two hundred clients that each were served a while ago', async () => {
    const letters = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x100 + i))
    const rehearsal = new Rehearsal({ maxWaiting: 400, maxWaitMs: 60_000 })
    rehearsal.ask(...letters.map((letter) => `${letter}1`))
    await rehearsal.endAll()
    for (let second = 0; second < 4; second++) await pass(1_000)
    rehearsal.ask(...letters.map((letter) => `${letter}2`), 'h1')
    await settle()
    await rehearsal.end(rehearsal.running[0]!)
    assert.deepEqual(rehearsal.running, ['h1'])
  })

  it('lets a newcomer wait for one turn, however long the line of a flood is', async () => {
    const rehearsal = new Rehearsal({ maxWaiting: 100 })
    rehearsal.ask(...Array.from({ length: 90 }, (_, i) => `f${i}`))
    await settle()
    rehearsal.ask('h1')
    await rehearsal.end('f0')
    assert.deepEqual(rehearsal.running, ['h1'])
    await rehearsal.endAll()
    assert.equal(rehearsal.began.length, 91)
    assert.deepEqual(rehearsal.refused, [])
  })

  it('when full, refuses the newest of the longest line, and tells it only after the delay', async () => {
    const rehearsal = new Rehearsal({ maxWaiting: 3, refusalDelayMs: 1_000, maxWaitMs: 60_000 })
    rehearsal.ask('f0', 'f1', 'f2', 'b1', 'f3') // f0 runs; f3 is the newest of the longest
    await settle()
    assert.deepEqual(rehearsal.refused, [])
    rehearsal.ask('c1') // takes the place of f2
    await pass(999)
    assert.deepEqual(rehearsal.refused, [])
    await pass(1)
    assert.deepEqual(rehearsal.refused, ['f3'])
    await pass(1)
    assert.deepEqual(rehearsal.refused, ['f3', 'f2'])
    await rehearsal.endAll()
    assert.deepEqual(rehearsal.began, ['f0', 'b1', 'c1', 'f1'])
  })

  it('tells those it refuses one by one, so that a flood which asks again at once is spread', async () => {
    const rehearsal = new Rehearsal({ maxWaiting: 0, refusalDelayMs: 1_000 })
    rehearsal.ask(...Array.from({ length: 101 }, (_, i) => `f${i}`))
    await pass(1_000)
    for (let told = 1; told <= 100; told++) {
      assert.equal(rehearsal.refused.length, told)
      await pass(1)
    }
  })

  it('tells an attempt that came too soon so at once, and those of a flood one by one', async () => {
    const line = new HashingLine({ slots: 1 })
    let told = 0
    const ask = () =>
      line
        .run({ client: 'f' }, async () => {
          throw new Problem('too_many_attempts', 'Wait.')
        })
        .catch(() => told++)
    for (let alone = 1; alone <= 3; alone++) {
      void ask()
      await settle()
      await pass(0)
      assert.equal(told, alone)
    }
    told = 0
    for (let i = 0; i < 100; i++) void ask()
    await settle()
    for (let i = 1; i <= 100; i++) {
      await pass(i === 1 ? 0 : 1)
      assert.equal(told, i)
    }
  })

  it('refuses with 503 and a time to come back', async () => {
    const line = new HashingLine({ slots: 1, maxWaiting: 0, refusalDelayMs: 0 })
    void line.run({ client: 'a' }, () => new Promise(() => {}))
    await assert.rejects(
      line.run({ client: 'a' }, async () => {}),
      { code: 'overloaded', status: 503, headers: { 'Retry-After': '1' } },
    )
  })

  it('lets nobody wait longer than the longest wait, and then tells them at once', async () => {
    const rehearsal = new Rehearsal({ maxWaitMs: 10_000 })
    rehearsal.ask('a1', 'a2', 'b1')
    await pass(2_000)
    rehearsal.ask('c1')
    await pass(7_999)
    assert.deepEqual(rehearsal.refused, [])
    await pass(1)
    assert.deepEqual(rehearsal.refused, ['a2', 'b1'])
    await rehearsal.endAll()
    assert.deepEqual(rehearsal.began, ['a1', 'c1'], 'who was refused does not run')
    await pass(20_000)
    assert.deepEqual(rehearsal.refused, ['a2', 'b1'], 'who was served is not refused')
  })

  it('lets wait for 2 s alone in a line that takes more than half of all places while others wait', async () => {
    const flood = Array.from({ length: 6 }, (_, i) => `f${i}`)
    const rehearsal = new Rehearsal({ maxWaiting: 8, maxWaitMs: 10_000, maxWaitInFloodMs: 2_000 })
    rehearsal.ask(...flood, 'c1') // f0 runs, five wait
    await pass(2_000)
    assert.deepEqual(rehearsal.refused, ['f1'], 'then the line is no longer so long')
    await pass(7_999)
    assert.deepEqual(rehearsal.refused, ['f1'])
    await pass(1)
    assert.deepEqual(rehearsal.refused, ['f1', 'f2', 'f3', 'f4', 'f5', 'c1'])

    const alone = new Rehearsal({ maxWaiting: 8, maxWaitMs: 10_000, maxWaitInFloodMs: 2_000 })
    alone.ask(...flood)
    await pass(9_999)
    assert.deepEqual(alone.refused, [], 'a crowd that comes alone is no flood')
    await alone.endAll()
    assert.deepEqual(alone.began, flood)
  })

  it('lets wait for 2 s alone while others are refused for want of a place, and longer afterwards', async () => {
    const rehearsal = new Rehearsal({ maxWaiting: 3, refusalDelayMs: 20_000 })
    rehearsal.ask('a1', 'b1', 'c1', 'd1', 'd2') // b1, c1 and d1 wait; d2 finds no place
    await pass(1_500)
    rehearsal.ask('b2') // finds none either
    await pass(500)
    assert.deepEqual(rehearsal.refused, ['b1', 'c1', 'd1'])
    await pass(1_000)
    rehearsal.ask('e1')
    await pass(9_000)
    assert.deepEqual(rehearsal.refused, ['b1', 'c1', 'd1'])
    rehearsal.ask('f1', 'g1', 'g2') // g2 finds no place
    await pass(1_000)
    assert.deepEqual(rehearsal.refused, ['b1', 'c1', 'd1', 'e1'])
  })

  it('serves 150 who come at once from one address, 60 ms each, though somebody comes from elsewhere', async () => {
    const rehearsal = new Rehearsal({})
    rehearsal.ask(...Array.from({ length: 150 }, (_, i) => `a${i}`))
    for (let i = 0; rehearsal.running.length > 0 || i === 0; i++) {
      await pass(60)
      if (i % 10 === 0) rehearsal.ask(`b${i}`)
      if (rehearsal.running.length > 0) await rehearsal.end(rehearsal.running[0]!)
    }
    assert.deepEqual(rehearsal.refused, [])
    assert.ok(rehearsal.began.includes('a149'))
  })

  it('serves the next when a work has hashed, and not only when it ends', async () => {
    const rehearsal = new Rehearsal({ slots: 1 })
    rehearsal.ask('a1', 'a2', 'a3')
    await settle()
    await rehearsal.free('a1')
    assert.deepEqual(rehearsal.running, ['a1', 'a2'])
    await rehearsal.free('a1')
    await rehearsal.end('a1')
    assert.deepEqual(rehearsal.running, ['a2'], 'a slot is freed once')
    await rehearsal.end('a2')
    assert.deepEqual(rehearsal.running, ['a3'])
  })

  it('lets ten works of one pair be under way, and meanwhile serves others', async () => {
    const rehearsal = new Rehearsal({ slots: 1, maxWaitMs: 60_000 })
    const names = Array.from({ length: 12 }, (_, i) => `a${i}`)
    rehearsal.askFor('anna', ...names)
    for (const name of names.slice(0, 10)) {
      await settle()
      await rehearsal.free(name)
    }
    assert.equal(rehearsal.running.length, 10)
    rehearsal.askFor('ben', 'aB', 'bB')
    await settle()
    assert.deepEqual(rehearsal.running.slice(10), ['aB'], 'another account, from there too')
    await rehearsal.free('aB')
    assert.deepEqual(rehearsal.running.slice(11), ['bB'])
    await rehearsal.free('bB')
    await rehearsal.end('a3')
    assert.equal(rehearsal.running.at(-1), 'a10')
    await rehearsal.end('a10')
    assert.equal(rehearsal.running.at(-1), 'a11')
    await rehearsal.endAll()
    assert.deepEqual(rehearsal.refused, [])
  })

  it('holds back only so many refusals; further ones go out at once', async () => {
    const rehearsal = new Rehearsal({ maxWaiting: 1, maxPendingRefusals: 2, refusalDelayMs: 1_000 })
    rehearsal.ask('a0', 'a1', 'a2', 'a3', 'a4', 'a5')
    await settle()
    assert.deepEqual(rehearsal.refused, ['a4', 'a5'])
    await pass(1_001)
    assert.deepEqual(rehearsal.refused, ['a4', 'a5', 'a2', 'a3'])
    rehearsal.ask('a6')
    await settle()
    assert.equal(rehearsal.refused.length, 4, 'what has gone out is no longer pending')
    await pass(1_000)
    assert.equal(rehearsal.refused.at(-1), 'a6')
  })

  it('frees the slot of a work that fails, and hands its error on', async () => {
    const rehearsal = new Rehearsal({})
    rehearsal.ask('a1', 'a2', 'b1')
    await settle()
    await rehearsal.end('a1', new Error('a hash failed'))
    assert.deepEqual(rehearsal.running, ['b1'])
    await rehearsal.end('b1', new Error('another'))
    assert.deepEqual(rehearsal.running, ['a2'])
    await rehearsal.endAll()

    const line = new HashingLine({ slots: 1 })
    const fault = new Error('thrown at once')
    const throwing = () => {
      throw fault
    }
    for (let i = 0; i < 3; i++) await assert.rejects(line.run({ client: 'a' }, throwing), fault)
    assert.equal(await line.run({ client: 'a' }, async () => 'served'), 'served')
  })

  it('has all its places again after a flood has passed', async () => {
    const rehearsal = new Rehearsal({ slots: 2, maxWaiting: 4, maxWaitMs: 2_000 })
    for (let round = 0; round < 5; round++) {
      rehearsal.ask(...Array.from({ length: 20 }, (_, i) => `${'abc'[i % 3]}${round}-${i}`))
      await pass(2_000)
      await rehearsal.endAll()
      await pass(2_000)
    }
    const begun = rehearsal.began.length
    rehearsal.ask('x1', 'x2', 'x3', 'x4', 'x5', 'x6')
    await settle()
    assert.deepEqual(rehearsal.running, ['x1', 'x2'])
    await rehearsal.endAll()
    assert.equal(rehearsal.began.length, begun + 6)
  })

  it('by itself keeps a core free, and at least one slot', async () => {
    const line = new HashingLine()
    let running = 0
    for (let i = 0; i < 50; i++) void line.run({ client: 'a' }, () => new Promise(() => void running++))
    await settle()
    assert.equal(running, Math.max(1, availableParallelism() - 1))
  })
})
