import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { atEnd, temporaryFile } from '../../test/cleanup.ts'
import { engine, newDatabaseUrl, onlyOn } from '../../test/engine.ts'

import { migrate, schemaState } from './migrate.ts'
import { checksumOf } from './migrations/checksums.ts'
import { type Migration, migrations } from './migrations/index.ts'
import { openDatabase, sqlitePath } from './open.ts'
import type { Db } from './tables.ts'

/** The same statements on both engines. */
function alike(...statements: string[]): Migration['statements'] {
  return { sqlite: statements, postgres: statements }
}

const pets: Migration = {
  id: migrations.at(-1)!.id + 1,
  name: 'pets',
  statements: alike('create table pets (id integer primary key)', 'insert into pets (id) values (1), (2)'),
}
const withPets = [...migrations, pets]

/** The checksums of all migrations that landed, by id from 1. A new one adds its own; none of these changes. */
const released = {
  sqlite: [
    ['d2eea67db3f958f519cbf15284b60529bcb7520e24fbfb9728b8d1bdc4c3d88a'],
    [
      '0bd30eb98f58af4962d1e6c9a719b55631f83c190e4b3d41fad0f36ac06322ab',
      'b314516997e7ba1fbb7029ea428a55c7dfab8ff5087e180df37e827eadf16e63', // 0.3.0
    ],
    ['0b5d0eb275f0f434e8a57db62b4f4f5ae2afcd55e2b47e922e23778d4cf48005'],
    ['f16fcb222aefd92e5645499a355eea390b1648ee0b313ba00a1cd164b5c80874'],
    ['4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    ['2050356df12c4d766c07913b17b6e8c732f6e6f40ec0a0dc47b181e85ad23277'],
    ['a5918735e9d9a4708cb4b6257c1de2398990f4d87b9948b61456341019dfb534'],
    ['d6b1429c6ed077f42ae371d1a3e89ebbdbfb0ec111a0125763f9ffd49c099fe4'],
    ['4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    ['badd7d59d63991c053fd1109410df5d2b870e0a01b4f9aa79c55719b8167c4c3'],
    ['538d5ea6c0e7f9e1ed7ce3c6b54716c4d0214a1b2b2ca4b8d701bb6033a428dd'],
    ['39f032e41c1e2ff9206859c3f9888f31be9e2146c2f54e69d60b20841eecc711'],
    ['3a862a941a1f440e1f5ee7aa265d9bcc4337f037c40ca8cda47adbc99148240c'],
    ['d0296f71bdb3fb6f99d6e281d3342422803ab6356e2ea5df89d286d094ebf61c'],
    ['65e4a4396632da3de660b8b96e70cf9ca034c10048bae3a94f51fe0cbe9f6be1'],
    ['2e99a03ef10a1f9ca9e9b5a85b35406513ab48f7f7f216eb23e0925e606c5247'],
    ['9d343cc65aa388bb5d1adf2832fc98bcd1b901061bbe27ab5959a07f92941d50'],
    ['fdf3a78e8b2c73e51ff29b1bc188b5af5cd317c9c7a3125e626f1d8b9a8ffa25'],
    ['3e021e9c830fb4fca046ae45e08602093ce36fff0d8a80087329cda96e1aa6fc'],
    ['4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    ['4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    ['7761f348732ae4daef20c0e266f04663e19e9fd76e93d1bb8e93652c356b43fa'],
  ],
  postgres: [
    ['edc7a792ff26d427144e4f9f25e74b12ca823ba26d4ddb61f7a6265346861771'],
    ['4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    ['872d7f72503ad7ce0c3e4a4698458fa76e53958f81a898e415a514c687444355'],
    ['4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    ['c04a50a8ab3c49840e6b1fb6cdee723f723df849efc1279dc2c74c1bb6386d0e'],
    ['9503d9198ea956aef2133482c6153dee718b894d5a00902b28be28d264f500b0'],
    ['a5918735e9d9a4708cb4b6257c1de2398990f4d87b9948b61456341019dfb534'],
    ['4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    ['4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    ['badd7d59d63991c053fd1109410df5d2b870e0a01b4f9aa79c55719b8167c4c3'],
    ['cca4b7b04e8fdd07331505244fd7d450b4e3d8864c004ea6f1b89d9dce30421e'],
    ['179736e3a92c90a2ca0832662bf2079874f01f437bda146c73f2f4130060fabb'],
    ['06abb2e7a70c4accb2000281e6c3fdbd4c6447e9ab4313c6fcef3ac5cfa744f1'],
    ['d030d3a81af5b4394d3caee5a166ff63af1262b9f24369c695ecbfefa7aa4b08'],
    ['d22213625a196aa5da111f5000ac71bea3d794a7d67476b1c68c7f67deaf2f58'],
    ['3cd915e3ba379fd541172a71a974f14865475c5b1099d8dc788dfdc42bd38c13'],
    ['9d343cc65aa388bb5d1adf2832fc98bcd1b901061bbe27ab5959a07f92941d50'],
    ['88445db51b4c74864f58322c75fa7458c8379187c86a536363b751bc73ea969b'],
    ['0ad272fef9f2417524a8642b7f3e1aa67355c19d86648f2ec0dca36befcc48fa'],
    ['a44fb0bf404fdc1602024b37f645f379e5162d8b8a38e878ccda4d0801d9a455'],
    ['b7403125676e1422c156b4f631c34b395b4aa8d51f48ad59f77d913dec17d6f9'],
    ['7761f348732ae4daef20c0e266f04663e19e9fd76e93d1bb8e93652c356b43fa'],
  ],
}

async function openEmpty(givenUrl?: string): Promise<Db> {
  const url = givenUrl ?? (await newDatabaseUrl({ empty: true }))
  const db = await openDatabase(url, { create: true, busyTimeoutMs: 5_000 }) // as the commands that migrate
  atEnd(() => db.destroy())
  return db
}

async function tablesOf(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables()
  return tables.map(({ name }) => name).sort()
}

describe('migrations', () => {
  it('make the schema once, and are remembered', async () => {
    const db = await openEmpty()
    assert.deepEqual(await schemaState(db), { applied: [], pending: migrations.map(({ id }) => id) })
    assert.deepEqual(
      await migrate(db),
      migrations.map(({ name }) => name),
    )
    assert.deepEqual(await migrate(db), [])
    assert.deepEqual(await schemaState(db), { applied: migrations.map(({ id }) => id), pending: [] })
    const labels = await db.selectFrom('classes').select(['id', 'label']).orderBy('id').execute()
    const expected = Array.from({ length: 12 }, (_, i) => [i + 1, `Class ${i + 1}`])
    assert.deepEqual(
      labels.map(({ id, label }) => [id, label]),
      expected,
    )
  })

  it('go on from where the database is', async () => {
    const db = await openEmpty()
    await migrate(db)
    assert.deepEqual((await schemaState(db, withPets)).pending, [pets.id])
    assert.deepEqual(await migrate(db, withPets), ['pets'])
    assert.ok((await tablesOf(db)).includes('pets'))
  })

  it('that fail leave nothing behind, and the next start completes', async () => {
    const db = await openEmpty()
    await migrate(db)
    const before = await tablesOf(db)
    for (const fault of [
      'insert into no_such_table values (1)',
      'nonsense',
      'insert into pets (id) values (1)',
    ]) {
      const failing = { ...pets, statements: alike(...pets.statements.sqlite, fault) }
      await assert.rejects(migrate(db, [...migrations, failing]))
      assert.deepEqual(await tablesOf(db), before)
      assert.deepEqual((await schemaState(db, withPets)).pending, [pets.id])
    }
    assert.deepEqual(await migrate(db, withPets), ['pets'])
    const { rows } = await sql<{ count: number }>`select count(*) as count from pets`.execute(db)
    assert.equal(Number(rows[0]!.count), 2)
  })

  it('of an empty database are one: whoever starts beside it never sees a part of the schema', async () => {
    const db = await openEmpty()
    const failing = { ...pets, statements: alike('nonsense') }
    await assert.rejects(migrate(db, [...migrations, failing]))
    assert.deepEqual((await schemaState(db, withPets)).applied, [])
    assert.deepEqual(
      await migrate(db, withPets),
      withPets.map(({ name }) => name),
    )
  })

  it(
    'that are killed half-way leave nothing behind, and the next start completes',
    onlyOn('sqlite'),
    async () => {
      const url = await newDatabaseUrl({ empty: true })
      const db = await openEmpty(url)
      await migrate(db)
      const before = await tablesOf(db)
      await db.destroy()

      const endless = `insert into pets (id) with recursive n (i) as (select 3 union all select i + 1 from n) select i from n where i < 0`
      const killed = { ...pets, statements: alike(...pets.statements.sqlite, endless) }
      const program = `
      import { openDatabase } from ${JSON.stringify(import.meta.resolve('./open.ts'))}
      import { migrate } from ${JSON.stringify(import.meta.resolve('./migrate.ts'))}
      import { migrations } from ${JSON.stringify(import.meta.resolve('./migrations/index.ts'))}
      await migrate(await openDatabase(${JSON.stringify(url)}), [...migrations, ${JSON.stringify(killed)}])
    `
      const file = temporaryFile('migrating.mjs', program)
      const child = spawn(process.execPath, [file], { stdio: ['ignore', 'inherit', 'inherit'] })
      const exited = once(child, 'exit')
      await untilWriteLocked(sqlitePath(url), () => child.exitCode === null)
      child.kill('SIGKILL')
      assert.deepEqual(await exited, [null, 'SIGKILL'])

      const reopened = await openEmpty(url)
      assert.deepEqual(await tablesOf(reopened), before)
      assert.deepEqual(await migrate(reopened, withPets), ['pets'])
      const { rows } = await sql<{ count: number }>`select count(*) as count from pets`.execute(reopened)
      assert.equal(Number(rows[0]!.count), 2)
    },
  )

  it('run once, when two programs start at once', async () => {
    const url = await newDatabaseUrl({ empty: true })
    const [one, two] = [await openEmpty(url), await openEmpty(url)]
    const ran = await Promise.all([migrate(one, withPets), migrate(two, withPets)])
    assert.deepEqual(ran.flat().sort(), withPets.map(({ name }) => name).sort())
    const { rows } = await sql<{ count: number }>`select count(*) as count from pets`.execute(one)
    assert.equal(Number(rows[0]!.count), 2)
  })

  it('of a newer program stop an older one, and nothing is changed', async () => {
    const db = await openEmpty()
    await migrate(db, withPets)
    const before = await tablesOf(db)
    const newer = { name: 'SchemaError', message: /newer Registrar.*Start that version or a later one/ }
    await assert.rejects(migrate(db), newer)
    await assert.rejects(schemaState(db), newer)
    assert.deepEqual(await tablesOf(db), before)
  })

  it('that differ from the ones applied stop the start, and nothing is changed', async () => {
    const db = await openEmpty()
    await migrate(db, withPets)
    const edited = { ...pets, statements: alike(pets.statements.sqlite[0]!) }
    await assert.rejects(migrate(db, [...migrations, edited]), {
      name: 'SchemaError',
      message: new RegExp(`Migration ${pets.id} \\(pets\\) differs`),
    })
    const next = { id: pets.id + 1, name: 'next', statements: alike('create table next (id integer)') }
    await assert.rejects(migrate(db, [...migrations, edited, next]), { name: 'SchemaError' })
    assert.ok(!(await tablesOf(db)).includes('next'))
  })

  it('stay as they are once released, and those that a release ran otherwise are known too', async () => {
    const db = await openEmpty()
    await migrate(db)
    const applied = await db.selectFrom('schema_migrations').select('checksum').orderBy('id').execute()
    const checksums = migrations.map(({ statements, earlier }) =>
      [statements[engine], ...(earlier?.[engine] ?? [])].map(checksumOf),
    )
    assert.deepEqual(checksums, released[engine])
    assert.deepEqual(
      applied.map(({ checksum }) => checksum),
      checksums.map(([own]) => own),
    )
  })

  it('stand in the order of their ids, from 1', () => {
    const ids = migrations.map(({ id }) => id)
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    )
    assert.equal(ids[0], 1)
    assert.equal(new Set(migrations.map(({ name }) => name)).size, migrations.length)
  })
})

/** Waits until another process writes: a write of ours would have to wait for it. */
async function untilWriteLocked(path: string, isAlive: () => boolean): Promise<void> {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    for (;;) {
      assert.ok(isAlive(), 'the migrating process is alive')
      try {
        db.exec('begin immediate; rollback')
      } catch (error) {
        assert.equal((error as { errcode?: number }).errcode, 5)
        return
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    db.close()
  }
}
