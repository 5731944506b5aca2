import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSchool } from '../../test/school.ts'
import type { Db } from '../db/tables.ts'
import { write } from './write.ts'

describe('a write', () => {
  it('waits for what it locks, readmits its caller, and hands the work what the caller may do, in one transaction', async () => {
    const { db } = await openSchool()
    const done: string[] = []
    const step = (name: string) => async (inside: Db) => {
      assert.ok(inside.isTransaction)
      await inside.selectFrom('platform').select('id').execute()
      done.push(name)
      return name
    }
    const by = { userId: 1, readmit: step('readmitted') }
    const result = await write(
      db,
      by,
      async (db, authority) => `${authority}, ${await step('worked')(db)}`,
      step('locked'),
    )
    assert.deepEqual(done, ['locked', 'readmitted', 'worked'])
    assert.equal(result, 'readmitted, worked')
  })

  it('leaves nothing behind when its caller is not readmitted', async () => {
    const { db } = await openSchool()
    const refused = async () => {
      throw new Error('refused')
    }
    const lock = (db: Db) => db.updateTable('classes').set({ archived_at: null, position: 77 }).execute()
    const work = () => assert.fail('the work ran')
    await assert.rejects(write(db, { userId: 1, readmit: refused }, work, lock), /refused/)
    const { position } = await db.selectFrom('classes').select('position').executeTakeFirstOrThrow()
    assert.notEqual(position, 77)
  })
})
