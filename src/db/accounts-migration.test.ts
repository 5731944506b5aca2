import assert from 'node:assert/strict'
import { it } from 'node:test'
import { atEnd } from '../../test/cleanup.ts'
import { newDatabaseUrl } from '../../test/engine.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'

it('migration 6 takes who holds a role, or was changed since it was made, for granted, and nobody for idle', async () => {
  const db = await openDatabase(await newDatabaseUrl({ empty: true }), { create: true })
  atEnd(() => db.destroy())
  await migrate(db, migrations.slice(0, 5))
  const [made, granted, changed] = ['2020-01-01', '2021-01-01', '2022-01-01'].map(
    (date) => `${date}T00:00:00.000Z`,
  ) as [string, string, string]
  const ids = await db.transaction().execute(async (db) => {
    const insert = (email: string, version: number, updated_at: string) =>
      db
        .insertInto('users')
        .values({ name: 'x', email, password_hash: 'x', created_at: made, updated_at, version })
        .returning('id')
        .executeTakeFirstOrThrow()
    const holder = await insert('holder@school.example', 1, made)
    await db
      .insertInto('user_roles')
      .values({ user_id: holder.id, role_id: 3, granted_at: granted })
      .execute()
    return [holder, await insert('revoked@x.example', 3, changed), await insert('never@x.example', 1, made)]
  })
  const before = new Date(Date.now() - 60_000).toISOString()
  assert.equal((await migrate(db))[0], 'accounts')
  const users = await db
    .selectFrom('users')
    .select(['id', 'granted_at', 'idle_since'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    users.map(({ id, granted_at }) => [id, granted_at]),
    ids.map(({ id }, i) => [id, [granted, changed, null][i]]),
  )
  assert.ok(users.every(({ idle_since }) => idle_since! > before))
})
