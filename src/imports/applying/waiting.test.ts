import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { onlyOn } from '../../../test/engine.ts'
import { lockWaits } from '../../../test/lock-waits.ts'
import { byTest, openSchool, type Person, type School } from '../../../test/school.ts'
import { type StagedFile, type StagedImport, stage, workOf } from '../../../test/staged-imports.ts'
import { databaseFaultOf } from '../../db/violations.ts'
import type { Tx } from '../../events/log.ts'
import { write } from '../../events/write.ts'
import { applyImport } from './apply.ts'

const header = ['admission_number', 'name', 'class_id']

// On SQLite one write is made at a time.
describe('a slice of an import beside a write that has begun', onlyOn('postgres'), () => {
  let school: School
  let admin: Person
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
  })

  async function planned(file: StagedFile): Promise<StagedImport> {
    const staged = await stage(school, admin, file)
    await staged.plan()
    return staged
  }

  /** Does an import's step after a write has begun, which ends once the step waits for it, or has ended. */
  async function finishedBeside(staged: StagedImport, change: (tx: Tx) => Promise<unknown>) {
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const other = write(school.db, byTest, async (tx) => {
      await change(tx)
      begun.resolve()
      await mayEnd.promise
    })
    await begun.promise
    let hasEnded = false
    const step = staged.finish().finally(() => (hasEnded = true))
    while (!hasEnded && (await lockWaits(school.db)) === 0) await turn()
    mayEnd.resolve()
    await other
    return step
  }

  const rename = (id: number) => (tx: Tx) =>
    tx
      .updateTable('students')
      .set((q) => ({ name: 'By Hand', version: q('version', '+', 1) }))
      .where('id', '=', id)
      .execute()

  const shown = async (id: number) => (await school.get(`/api/students/${id}`, admin)).body

  it('sees what that write changes of a student, and ends', async () => {
    const id = await school.student(admin, { admission_number: 'w-1', name: 'Be Fore' })
    const staged = await planned({ header, rows: [['w-1', 'Af Ter', '']] })
    await staged.request(admin)
    assert.equal(await finishedBeside(staged, rename(id)), 'failed')
    assert.equal((await staged.row()).failure?.code, 'row_not_applied')
    assert.equal((await shown(id)).data.name, 'By Hand')
  })

  it('does not take back whom that write changes', async () => {
    const staged = await planned({ header, rows: [['w-2', 'Co Me', '1']] })
    assert.equal(await staged.apply(admin), 'applied')
    const [{ id }] = (await school.get('/api/students?search=w-2', admin)).body.data
    await staged.requestUndo(admin)
    assert.equal(await finishedBeside(staged, rename(id)), 'undone')
    assert.equal((await shown(id)).data?.name, 'By Hand')
    const kept = (await staged.rows(admin, { kept: 'true' })).map(({ row, kept }) => [row, kept])
    assert.deepEqual(kept, [[2, ['name']]])
  })

  it('puts nobody into a class that it archives', async () => {
    const { id } = (await school.post('/api/classes', { label: 'Closing' }, admin)).body.data
    const staged = await planned({ header, rows: [['w-3', 'Cla Ss', String(id)]] })
    await staged.request(admin)
    const archive = (tx: Tx) =>
      tx
        .updateTable('classes')
        .set((q) => ({ archived_at: school.now().toISOString(), version: q('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
    assert.equal(await finishedBeside(staged, archive), 'failed')
    assert.equal((await school.get('/api/students?search=w-3', admin)).body.pagination.total, 0)
  })

  it('fills no field that it archives', async () => {
    const field = { key: 'closing', label: 'Closing', kind: 'text' }
    const { id } = (await school.post('/api/fields', field, admin)).body.data
    const staged = await planned({
      header: [...header, 'fields.closing'],
      rows: [['w-4', 'Fi Eld', '1', 'x']],
    })
    await staged.request(admin)
    const archive = async (tx: Tx) => {
      await tx
        .updateTable('field_changes')
        .set((q) => ({ version: q('version', '+', 1) }))
        .execute()
      await tx
        .updateTable('fields')
        .set({ archived_at: school.now().toISOString() })
        .where('id', '=', id)
        .execute()
    }
    assert.equal(await finishedBeside(staged, archive), 'failed')
    assert.equal((await school.get('/api/students?search=w-4', admin)).body.pagination.total, 0)
  })

  it('is ended where it waits too long, with the rows that are read meanwhile, and goes on later', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => [`w5-${i}`, 'Wa It', '1'])
    const staged = await planned({ header, rows })
    await staged.request(admin)
    const mayEnd = Promise.withResolvers<void>()
    let other: Promise<void> | undefined
    /** The first slice begins: another write has the tables that it needs next, until it has failed. */
    const hold = async () => {
      if (other !== undefined || (await staged.row()).change_set_id === null) return
      const begun = Promise.withResolvers<void>()
      other = write(school.db, byTest, async (tx) => {
        await sql`lock table students in exclusive mode`.execute(tx)
        await sql`lock table import_plan in access exclusive mode`.execute(tx)
        begun.resolve()
        await mayEnd.promise
      })
      await begun.promise
    }
    await assert.rejects(
      applyImport(await staged.row(), { ...workOf(school), hold }),
      (error) => databaseFaultOf(error) === 'database_unavailable',
    )
    while ((await lockWaits(school.db)) > 0) await turn()
    mayEnd.resolve()
    await other
    const found = async () => (await school.get('/api/students?search=w5', admin)).body.pagination.total
    assert.equal(await found(), 0)
    assert.equal(await staged.finish(), 'applied')
    assert.equal(await found(), rows.length)
  })
})
