import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { onlyOn } from '../../test/engine.ts'
import { openSchool } from '../../test/school.ts'
import { readmit } from '../access/authority.ts'
import { insertSession } from '../access/sessions.ts'
import type { Db } from '../db/tables.ts'
import { Problem } from '../problems.ts'
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

describe('a write that the database ends for another', onlyOn('postgres'), () => {
  it('runs again from its beginning, and is logged once', async () => {
    const { db } = await openSchool()
    const before = await db.selectFrom('change_sets').select('id').execute()
    const at = '2026-01-01T00:00:00.000Z'
    let runs = 0
    await write(db, { command: 'test' }, async (tx) => {
      tx.record({ record: 'class', id: 1, action: 'changed', at, fields: { label: ['A', `B${++runs}`] } })
      if (runs < 3) await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(tx)
    })
    assert.equal(runs, 3)
    const known = before.map(({ id }) => id)
    const sets = await db.selectFrom('change_sets').select('id').where('command', '=', 'test').execute()
    const made = sets.filter(({ id }) => !known.includes(id))
    assert.equal(made.length, 1)
    const events = db.selectFrom('events').select('fields').where('change_set_id', '=', made[0]!.id)
    assert.deepEqual(await events.execute(), [{ fields: '{"label":["A","B3"]}' }])
  })
})

describe('a write whose caller loses the session in the same commit', onlyOn('sqlite'), () => {
  const works: Record<string, (db: Db) => Promise<unknown>> = {
    'is undone, whatever it writes': (db) => db.updateTable('classes').set({ position: 77 }).execute(),
    'is undone, though it writes nothing': async () => {},
    'is told so, though it is refused before its first statement': async () => {
      throw new Problem('student_not_found', 'There is none.')
    },
    'is undone, though it hides the fault': (db) =>
      db
        .updateTable('classes')
        .set({ position: 77 })
        .execute()
        .catch(() => {}),
  }
  for (const [promise, work] of Object.entries(works)) {
    it(promise, async () => {
      const { db } = await openSchool()
      const key = Buffer.alloc(32, 7)
      const [createdAt, expiresAt] = ['2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']
      const name = { name: 'A', email: 'a@b.example', password_hash: '' }
      const { id } = await write(db, { command: 'test' }, async (db) => {
        const record = { created_at: createdAt, updated_at: createdAt }
        const user = await db
          .insertInto('users')
          .values({ ...name, ...record })
          .returning('id')
          .executeTakeFirstOrThrow()
        await insertSession(db, { key, userId: user.id, createdAt, expiresAt })
        return user
      })
      const by = {
        userId: id,
        readmit: (db: Db) => readmit(db, key, { permission: '', forAllClasses: false }),
      }
      let runs = 0
      const [, written] = await Promise.allSettled([
        write(db, { command: 'logout' }, (db) => db.deleteFrom('sessions').execute()),
        write(db, by, (db) => {
          runs++
          return work(db)
        }),
      ])
      assert.equal(written.status, 'rejected')
      assert.equal(((written as PromiseRejectedResult).reason as Problem).code, 'token_invalid')
      assert.equal(runs, 1, 'it ran by what was committed last')
      const moved = await db.selectFrom('classes').select('id').where('position', '=', 77).execute()
      assert.deepEqual(moved, [])
    })
  }
})
