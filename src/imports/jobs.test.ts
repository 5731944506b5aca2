import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, before, describe, it } from 'node:test'
import { openSchool, type School } from '../../test/school.ts'
import { instantAfter } from '../access/clock.ts'
import { DatabaseStateError } from '../db/violations.ts'
import { write } from '../events/write.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { ImportJobs, lookEveryMs } from './jobs.ts'
import { LeaseLostError, leaseMs, takeLease } from './leases.ts'
import type { ImportState } from './model.ts'
import { moveTo } from './states.ts'
import type { Step, Steps, StepWork } from './steps.ts'

const nothing: Step = async () => assert.fail('no such step was to be done')

describe('the steps of imports', () => {
  let school: School
  let instances: ImportJobs[] = []
  before(async () => {
    school = await openSchool()
  })
  afterEach(async () => {
    for (const instance of instances) await instance.stop()
    instances = []
  })

  /** One more instance on the school's database. */
  function instance(steps: Partial<Steps>): ImportJobs {
    const { db, app } = school
    const lists = openStudentLists(db)
    const parts = { db, clock: () => school.now(), lists, log: app.log }
    const jobs = new ImportJobs({
      ...parts,
      steps: { reading: nothing, applying: nothing, undoing: nothing, ...steps },
    })
    instances.push(jobs)
    return jobs
  }

  async function insert(state: ImportState, more: object = {}): Promise<number> {
    const now = school.now().toISOString()
    return write(school.db, { command: 'test' }, async (tx) => {
      const { id } = await tx
        .insertInto('imports')
        .values({
          ...{ kind: 'students', mode: 'upsert', state, file_bytes: 0, settings: '{}', done: 0 },
          ...{ file_hash: randomBytes(32), created_at: now, updated_at: now, ...more },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    })
  }

  const rowOf = (id: number) =>
    school.db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  const end: (to: ImportState) => Step = (to) => (imported, work) =>
    work.write(async (tx) => {
      await moveTo(tx, imported.id, [imported.state], to, school.now().toISOString())
    })

  it('are done once, though several instances look at once', async () => {
    const done: number[] = []
    const reading: Step = async (imported, work) => {
      done.push(imported.id)
      await end('planned')(imported, work)
    }
    const several = [1, 2, 3].map(() => instance({ reading }))
    const ids = [await insert('reading'), await insert('reading'), await insert('reading')]
    for (const jobs of several) jobs.look()
    while ((await Promise.all(ids.map(rowOf))).some(({ state }) => state === 'reading'))
      await Promise.all(several.map((jobs) => jobs.idle()))
    assert.deepEqual(done.toSorted(), ids)
    for (const id of ids) {
      const { state, leased_by, version } = await rowOf(id)
      assert.deepEqual([state, leased_by, version], ['planned', null, 2])
    }
  })

  it('follow one another', async () => {
    const jobs = instance({ applying: end('undoing'), undoing: end('undone') })
    const id = await insert('applying')
    jobs.look()
    await jobs.idle()
    assert.equal((await rowOf(id)).state, 'undone')
  })

  it('wait for one that was killed for less than thirty seconds', () => {
    assert.ok(leaseMs + lookEveryMs < 30_000)
  })

  it('go on at another instance once the lease of one that was killed has run out', async () => {
    const id = await insert('reading')
    await write(school.db, {}, (tx) => {
      const now = school.now()
      return takeLease(tx, id, 'killed', { now: now.toISOString(), until: instantAfter(now, leaseMs) })
    })
    const jobs = instance({ reading: end('planned') })
    jobs.look()
    await jobs.idle()
    assert.equal((await rowOf(id)).state, 'reading', 'it is held')
    school.passSeconds(leaseMs / 1000)
    jobs.look()
    await jobs.idle()
    assert.equal((await rowOf(id)).state, 'planned')
  })

  it('go on where the clock of one that was killed was ahead: nobody waits until that day', async () => {
    const id = await insert('applying')
    const ahead = new Date(school.now().getTime() + 86_400_000)
    await write(school.db, {}, (tx) =>
      takeLease(tx, id, 'killed', { now: ahead.toISOString(), until: instantAfter(ahead, 15_000) }),
    )
    const jobs = instance({ applying: end('applied') })
    jobs.look()
    await jobs.idle()
    assert.equal((await rowOf(id)).state, 'applied')
  })

  it('write nothing once another instance has the import, or it was cancelled', async () => {
    for (const take of [{ leased_by: 'another' }, { state: 'cancelled', leased_by: null }]) {
      const id = await insert('reading')
      const failures: unknown[] = []
      const reading: Step = async (imported, work) => {
        await work.write(async (tx) => void (await note(tx, work, 'first')))
        await write(school.db, {}, (tx) => tx.updateTable('imports').set(take).where('id', '=', id).execute())
        await work.write((tx) => note(tx, work, 'second')).catch((error) => failures.push(error))
        await end('planned')(imported, work)
      }
      const note = (tx: Parameters<Parameters<StepWork['write']>[0]>[0], _: StepWork, name: string) =>
        tx.updateTable('imports').set({ file_name: name }).where('id', '=', id).execute()
      const jobs = instance({ reading })
      jobs.look()
      await jobs.idle()
      assert.ok(failures[0] instanceof LeaseLostError)
      const { file_name, state } = await rowOf(id)
      assert.deepEqual([file_name, state], ['first', take.state ?? 'reading'])
      await write(school.db, {}, (tx) => tx.deleteFrom('imports').where('id', '=', id).execute())
    }
  })

  it('are left to others when the app stops, between two slices, and are no try then', async () => {
    const id = await insert('applying')
    const begun = Promise.withResolvers<void>()
    let slices = 0
    const jobs = instance({
      applying: async (_imported, work) => {
        for (;;) {
          slices++
          await work.beat(slices, 1_000)
          begun.resolve()
        }
      },
    })
    jobs.look()
    await begun.promise
    await jobs.stop()
    const { state, leased_by, tries } = await rowOf(id)
    assert.deepEqual([state, leased_by, tries], ['applying', null, 0])
    const other = instance({ applying: end('applied') })
    other.look()
    await other.idle()
    assert.equal((await rowOf(id)).state, 'applied')
  })

  it('end an import that fails: what was read of it goes, what was applied is undone', async () => {
    const broken: Step = async () => {
      throw new TypeError('broken')
    }
    const [read, applied] = [await insert('reading'), await insert('applying')]
    const jobs = instance({ reading: broken, applying: broken, undoing: end('failed') })
    jobs.look()
    await jobs.idle()
    for (const id of [read, applied]) {
      const { state, failure } = await rowOf(id)
      assert.deepEqual([state, JSON.parse(failure!).code], ['failed', 'internal_error'])
    }
    assert.equal(school.log.filter((line) => /a step of an import failed/.test(line)).length, 2)
  })

  it('are given up by whoever waits for them where they fail again and again, and stay for a server', async () => {
    const id = await insert('undoing')
    const broken: Step = async () => {
      throw new TypeError('broken')
    }
    const waiting = instance({ undoing: broken }).finish(id)
    await assert.rejects(
      waiting,
      new RegExp(`^Error: Import ${id} can't be ended here; .* A server tries it again\\.$`),
    )
    const [{ state, leased_by }] = [await rowOf(id)]
    assert.deepEqual([state, leased_by], ['undoing', null])
    const other = instance({ undoing: end('undone') })
    other.look()
    await other.idle()
    assert.equal((await rowOf(id)).state, 'undone')
  })

  it('are tried again after a fault of the database, and the log says so', async () => {
    const id = await insert('reading')
    const jobs = instance({
      reading: async () => {
        throw new DatabaseStateError('database_unavailable', 'secret words')
      },
    })
    jobs.look()
    await jobs.idle()
    assert.equal((await rowOf(id)).state, 'reading')
    for (const _ of [2, 3]) {
      school.passSeconds(60)
      jobs.look()
      await jobs.idle()
    }
    const lines = school.log.filter((line) => /a step of an import is tried again/.test(line))
    const { level, import: told, fault } = JSON.parse(lines[0]!)
    assert.deepEqual([lines.length, level, told, fault], [1, 'warn', id, 'database_unavailable'])
    assert.doesNotMatch(lines[0]!, /secret/)
    await write(school.db, { command: 'test' }, (tx) =>
      tx.deleteFrom('imports').where('id', '=', id).execute(),
    )
  })

  it('try an undo again that fails, at the next look: a part of an import must not stay', async () => {
    const id = await insert('undoing')
    let tries = 0
    const jobs = instance({
      undoing: async (...of) => {
        tries++
        if (tries < 3) throw new TypeError('broken')
        await end('undone')(...of)
      },
    })
    for (const state of ['undoing', 'undoing', 'undone']) {
      jobs.look()
      await jobs.idle()
      const row = await rowOf(id)
      assert.deepEqual([row.state, row.leased_by, row.failure], [state, null, null])
    }
    assert.equal(tries, 3)
    const told = school.log.map((line) => JSON.parse(line)).filter((line) => line.import === id)
    assert.deepEqual(
      told.map(({ level, msg, failures }) => [level, msg, failures]),
      [
        ['error', 'a step of an import failed', undefined],
        ['warn', 'a step of an import goes on again', 2],
      ],
    )
  })

  it('that fail again and again keep no other out', async () => {
    const failing = [await insert('undoing'), await insert('undoing')]
    const waiting = await insert('reading')
    let isBroken = true
    const jobs = instance({
      reading: end('planned'),
      undoing: async (...of) => {
        if (isBroken) throw new TypeError('broken')
        await end('undone')(...of)
      },
    })
    const look = async () => {
      jobs.look()
      await jobs.idle()
    }
    await look()
    assert.equal((await rowOf(waiting)).state, 'reading')
    await look()
    assert.equal((await rowOf(waiting)).state, 'planned')
    isBroken = false
    await look()
    for (const id of failing) assert.equal((await rowOf(id)).state, 'undone')
  })

  it('tell the log once of a step that fails for hours, and once of its end', async () => {
    const id = await insert('undoing')
    let isBroken = true
    const jobs = instance({
      undoing: async (...of) => {
        if (isBroken) throw new TypeError('broken')
        await end('undone')(...of)
      },
    })
    const look = async () => {
      school.passSeconds(10)
      jobs.look()
      await jobs.idle()
    }
    for (let times = 0; times < 30; times++) await look()
    await jobs.stop()
    isBroken = false
    const told = school.log.map((line) => JSON.parse(line)).filter((line) => line.import === id)
    assert.deepEqual(
      told.map(({ msg, failures, seconds }) => [msg, failures, seconds]),
      [
        ['a step of an import failed', undefined, undefined],
        ['stopped while a step of an import failed', 30, 290],
      ],
    )
    const other = instance({ undoing: end('undone') })
    other.look()
    await other.idle()
  })

  it('tell the log that a step goes on again where another instance has ended it', async () => {
    const id = await insert('undoing')
    const jobs = instance({ undoing: () => Promise.reject(new TypeError('broken')) })
    const other = instance({ undoing: end('undone') })
    for (const one of [jobs, other, jobs]) {
      one.look()
      await one.idle()
    }
    const told = school.log.map((line) => JSON.parse(line)).filter((line) => line.import === id)
    assert.deepEqual(
      told.map(({ msg }) => msg),
      ['a step of an import failed', 'a step of an import goes on again'],
    )
  })

  it('are done for one import alone where that is asked, and waited for where another instance has it', async () => {
    const done: number[] = []
    const jobs = instance({
      reading: async (imported, work) => {
        done.push(imported.id)
        await end('planned')(imported, work)
      },
    })
    const [other, held, own] = [await insert('reading'), await insert('reading'), await insert('reading')]
    await jobs.finish(own)
    const now = school.now()
    const times = { now: now.toISOString(), until: instantAfter(now, 15_000) }
    await write(school.db, {}, (tx) => takeLease(tx, held, 'another', times))
    const waiting = jobs.finish(held)
    await write(school.db, {}, (tx) => moveTo(tx, held, ['reading'], 'planned', times.now))
    await waiting
    assert.deepEqual(done, [own])
    assert.deepEqual([(await rowOf(other)).state, (await rowOf(held)).tries], ['reading', 0])
    await write(school.db, {}, (tx) => moveTo(tx, other, ['reading'], 'cancelled', times.now))
  })

  it('give a file up that never comes to an end, and one that did not come whole', async () => {
    const [endless, cut] = [
      await insert('reading', { tries: 10 }),
      await insert('reading', { file_hash: null }),
    ]
    const jobs = instance({})
    jobs.look()
    await jobs.idle()
    const codes = await Promise.all(
      [endless, cut].map(async (id) => JSON.parse((await rowOf(id)).failure!).code),
    )
    assert.deepEqual(codes, ['import_given_up', 'upload_cut'])
    const told = school.log.map((line) => JSON.parse(line)).filter((line) => line.import === endless)
    assert.deepEqual(
      told.map(({ level, tries, msg }) => [level, tries, msg]),
      [['error', 10, 'an import was given up: reading it never came to an end']],
    )
  })
})
