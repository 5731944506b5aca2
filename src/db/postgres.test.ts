import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { atEnd } from '../../test/cleanup.ts'
import { migratedDatabaseUrl, onlyOn } from '../../test/engine.ts'
import { runSql } from '../../test/postgres.ts'
import { byTest, openSchool } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { openDatabase } from './open.ts'

describe('statements on PostgreSQL', () => {
  it(
    'are prepared under names, but no more than 250 of them on a connection',
    onlyOn('postgres'),
    async () => {
      const { db } = await openSchool()
      const prepared = async () => {
        const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db)
        return rows[0]!.count
      }
      const read = async (column: number) => {
        const { rows } = await sql`select ${column}::int as ${sql.id(`c${column}`)}`.execute(db)
        assert.deepEqual(rows, [{ [`c${column}`]: column }])
      }
      const before = await prepared()
      for (let i = 0; i < 100; i++) await read(i)
      assert.ok((await prepared()) >= before + 100)
      for (let i = 100; i < 400; i++) await read(i)
      assert.ok((await prepared()) <= 250)
      await read(399)
    },
  )
})

describe('a statement on PostgreSQL that fails', () => {
  it('tells who asked it', onlyOn('postgres'), async () => {
    const { db } = await openSchool()
    const whoAsked = async () => void (await sql`select nonsense`.execute(db))
    await assert.rejects(whoAsked(), ({ stack }: Error) => /"nonsense".* whoAsked /s.test(stack!))
  })
})

describe('what a statement on PostgreSQL gave', () => {
  it('is collected while it is young, once nobody has it any more', onlyOn('postgres'), async () => {
    setFlagsFromString('--expose-gc')
    const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc')
    const { db } = await openSchool()
    const length = 50_000
    collect()
    const before = getHeapStatistics().used_heap_size
    for (let i = 0; i < 300; i++) {
      const { rows } = await sql<{ text: string }>`select repeat('x', ${length}::int) as text`.execute(db)
      assert.equal(rows[0]!.text.length, length)
      if (i % 5 === 0) collect({ type: 'minor' })
    }
    const grown = getHeapStatistics().used_heap_size - before
    assert.ok(grown < (300 * length) / 3, `the heap has ${grown} bytes more`)
  })
})

describe('a write on PostgreSQL', () => {
  it(
    'is answered by what its commit says: one that fails there is no success',
    onlyOn('postgres'),
    async () => {
      const school = await openSchool()
      const registrar = await school.person('registrar')
      await write(school.db, byTest, async (tx) => {
        await sql`create function refuse() returns trigger language plpgsql
        as $$ begin raise exception 'at the commit'; end $$`.execute(tx)
        await sql`create constraint trigger refused after insert on students
        deferrable initially deferred for each row execute function refuse()`.execute(tx)
      })
      const student = { name: 'Ada', admission_number: 'n-1', class_id: 1 }
      // More of them than the pool has connections.
      for (let i = 0; i < 12; i++)
        assert.equal((await school.post('/api/students', student, registrar)).status, 500)
      assert.equal(await school.count('students'), 0)
      await write(school.db, byTest, (tx) => sql`drop trigger refused on students`.execute(tx))
      assert.equal((await school.post('/api/students', student, registrar)).status, 201)
    },
  )

  it(
    'that finds the database read-only leaves no connection behind that stays so',
    onlyOn('postgres'),
    async () => {
      const databaseUrl = await migratedDatabaseUrl()
      const name = new URL(databaseUrl).pathname.slice(1)
      const setReadOnly = (value: 'on' | 'off') =>
        runSql(
          databaseUrl,
          'set default_transaction_read_only = off',
          `alter database ${name} set default_transaction_read_only = ${value}`,
        )
      await setReadOnly('on')
      const db = await openDatabase(databaseUrl, { poolSize: 1 })
      atEnd(() => db.destroy())
      const lock = () => write(db, byTest, (tx) => sql`update platform set id = id`.execute(tx))
      await assert.rejects(lock, { code: '25006' })
      await setReadOnly('off')
      await lock()
    },
  )
})
