import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { onlyOn } from '../../test/engine.ts'
import { Importer } from '../../test/import-calls.ts'
import { lockWaits } from '../../test/lock-waits.ts'
import { openSchool, type School } from '../../test/school.ts'
import { keepHouse } from '../cli/housekeeping.ts'
import { placeOf } from '../events/import-note.ts'
import { write } from '../events/write.ts'
import { eraseDue } from './erasing.ts'
import type { ImportState } from './model.ts'
import { moveTo } from './states.ts'

const tables = ['import_chunks', 'import_rows', 'import_plan', 'import_decisions'] as const

describe('what is kept of an import', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  /** An import with rows of every kind. */
  async function insert(state: ImportState, changes = true): Promise<number> {
    const now = school.now().toISOString()
    return write(school.db, { command: 'test' }, async (tx) => {
      const { id } = await tx
        .insertInto('imports')
        .values({
          ...{ kind: 'students', mode: 'upsert', state, file_bytes: 1, settings: '{}', done: 0 },
          ...{ questions: '[]', file_hash: Buffer.alloc(32), created_at: now, updated_at: now },
          change_set_id: changes ? 1 : null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const place = placeOf(0, 2)
      await tx
        .insertInto('import_chunks')
        .values({ import_id: id, place: 0, bytes: Buffer.from('x') })
        .execute()
      const rows = Array.from({ length: 1_500 }, (_, i) => ({ import_id: id, place: i, cells: '[]' }))
      await tx.insertInto('import_rows').values(rows).execute()
      await tx.insertInto('import_plan').values({ import_id: id, place, outcome: 'create' }).execute()
      await tx.insertInto('import_decisions').values({ import_id: id, place, decision: 'new' }).execute()
      return id
    })
  }

  async function kept(id: number): Promise<number[]> {
    const counts = tables.map(async (table) => {
      const rows = await school.db.selectFrom(table).select('place').where('import_id', '=', id).execute()
      return rows.length
    })
    return Promise.all(counts)
  }

  const stateOf = async (id: number) =>
    school.db
      .selectFrom('imports')
      .select(['state', 'emptied_at', 'questions'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  const all = [1, 1_500, 1, 1]
  const none = [0, 0, 0, 0]
  const erase = () => keepHouse(school.db, () => school.now(), school.config.tokenTtlSeconds)

  it('goes 30 days after it was last touched, but for its counts; one that was never applied is cancelled', async () => {
    const [applied, planned, applying] = [
      await insert('applied'),
      await insert('planned'),
      await insert('applying'),
    ]
    school.passSeconds(29 * 86_400)
    const fresh = await insert('applied')
    await erase()
    for (const id of [applied, planned, applying, fresh]) assert.deepEqual(await kept(id), all)
    school.passSeconds(86_400)
    await erase()
    assert.deepEqual(await Promise.all([applied, planned, applying, fresh].map(kept)), [none, none, all, all])
    const at = school.now().toISOString()
    assert.deepEqual(await stateOf(applied), { state: 'applied', emptied_at: at, questions: null })
    assert.deepEqual(await stateOf(planned), { state: 'cancelled', emptied_at: at, questions: null })
    assert.equal((await stateOf(applying)).emptied_at, null)
  })

  it('goes soon where it is of no use: nothing of a file that was cancelled, or refused, was written', async () => {
    const [cancelled, refused, failed] = [
      await insert('cancelled'),
      await insert('refused'),
      await insert('failed'),
    ]
    await erase()
    assert.deepEqual(await Promise.all([cancelled, refused, failed].map(kept)), [none, none, all])
    const at = school.now().toISOString()
    assert.deepEqual(await stateOf(cancelled), { state: 'cancelled', emptied_at: at, questions: null })
  })

  it('goes a day after it was applied where nothing was changed: there is nothing to take back', async () => {
    const [unchanged, changed] = [await insert('applied', false), await insert('applied')]
    school.passSeconds(86_400 - 1)
    await erase()
    assert.deepEqual(await Promise.all([unchanged, changed].map(kept)), [all, all])
    school.passSeconds(1)
    await erase()
    assert.deepEqual(await Promise.all([unchanged, changed].map(kept)), [none, all])
  })

  it('is shown to nobody once it was cancelled, but for its counts', async () => {
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    const { id, counts } = await importer.planned(
      'admission_number,name,class\n1,Ada Byron,Class 1\n2,,Class 1\n',
    )
    assert.equal((await school.post(`/api/imports/${id}/cancel`, undefined, registrar)).status, 200)
    for (const isErased of [false, true]) {
      if (isErased) await erase()
      for (const query of ['', '&group=true', '&outcome=missing', '&like_row=2'])
        assert.deepEqual(await importer.rows(id, query), [])
      const refused = await importer.refused(id)
      assert.deepEqual([refused.status, refused.body.code], [409, 'import_state'])
      const shown = await importer.read(id)
      assert.deepEqual([shown.state, shown.counts, shown.emptied], ['cancelled', counts, isErased])
    }
  })

  it('stays until nobody can continue the import: what is left of it would be planned, or applied', async () => {
    for (const state of ['question', 'planned'] as const) {
      const id = await insert(state)
      school.passSeconds(31 * 86_400)
      while ((await stateOf(id)).state !== 'cancelled') {
        assert.deepEqual(await kept(id), all)
        assert.ok(await write(school.db, {}, (tx) => eraseDue(tx, id, school.now())))
      }
      assert.deepEqual(await kept(id), all)
      await erase()
      assert.deepEqual(await kept(id), none)
    }
  })

  // On SQLite one write is made at a time.
  it('stays where somebody continues the import at that moment', onlyOn('postgres'), async () => {
    const id = await insert('planned')
    school.passSeconds(31 * 86_400)
    const { continued, erasing } = await write(school.db, {}, async (tx) => {
      const continued = await moveTo(tx, id, ['planned'], 'reading', school.now().toISOString())
      let hasEnded = false
      const erasing = write(school.db, {}, (db) => eraseDue(db, id, school.now()))
      void erasing.finally(() => (hasEnded = true))
      while (!hasEnded && (await lockWaits(school.db)) === 0) await turn()
      return { continued, erasing }
    })
    assert.ok(continued && (await erasing))
    await erase()
    assert.equal((await stateOf(id)).state, 'reading')
    assert.deepEqual(await kept(id), all)
  })

  it('counts as erased from its first portion on, and all of it goes, though the clock is set back between', async () => {
    const id = await insert('applied')
    school.passSeconds(31 * 86_400)
    const at = school.now().toISOString()
    await write(school.db, {}, (tx) => eraseDue(tx, id, school.now()))
    school.passSeconds(-31 * 86_400)
    assert.notDeepEqual(await kept(id), all)
    assert.equal((await stateOf(id)).emptied_at, at)
    await erase()
    assert.deepEqual(await kept(id), none)
    assert.deepEqual(await stateOf(id), { state: 'applied', emptied_at: at, questions: null })
  })

  it('goes in portions, so that others can write meanwhile', async () => {
    const id = await insert('failed')
    school.passSeconds(31 * 86_400)
    let portions = 0
    while ((await kept(id)).some((count) => count > 0)) {
      assert.ok(await write(school.db, {}, (tx) => eraseDue(tx, id, school.now())))
      portions++
    }
    assert.ok(portions >= 5)
    await erase()
  })
})
