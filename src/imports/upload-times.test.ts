import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { engine, onlyOn } from '../../test/engine.ts'
import { byTest, openSchool } from '../../test/school.ts'
import { frame, openWire } from '../../test/wire.ts'
import { write } from '../events/write.ts'
import { pieceBytes } from './staging.ts'
import { receiveFile } from './upload.ts'

describe('a file that comes slowly', () => {
  it('has 32 s for each piece, and ten minutes for all of it', async (t) => {
    const { db, app } = await openSchool()
    let now = 0
    t.mock.method(performance, 'now', () => now)
    const allowed: number[] = []
    const pieces = 25
    async function* bytes() {
      for (let i = 0; i < pieces; i++) {
        yield Buffer.alloc(pieceBytes, 'x')
        now += 30_000
      }
    }
    await receiveFile(
      {
        ...{ db, clock: () => new Date(), holder: app.importJobs.holder, maxBytes: pieces * pieceBytes },
        ending: new AbortController().signal,
      },
      { kind: 'students', mode: 'upsert', fileName: null },
      { by: byTest, check: () => {} },
      { body: Readable.from(bytes()), allow: (ms) => allowed.push(ms) },
    )
    t.mock.restoreAll()
    // The stream reads ahead, so that the clock may be a piece further.
    const [whole, cut] = [
      allowed.filter((ms) => ms === 32_000).length,
      allowed.filter((ms) => ms === 0).length,
    ]
    assert.equal(allowed.length, 1 + pieces)
    assert.ok(whole >= 19 && whole <= 21, `${allowed}`)
    assert.equal(allowed.length - whole - cut, 1, `${allowed}`)
    assert.ok(allowed.slice(-cut).every((ms) => ms === 0) && cut >= 4, `${allowed}`)
  })

  it('is cut after ten minutes, however steadily it comes, and its import fails', async (t) => {
    const school = await openSchool()
    const wire = await openWire(school)
    const { id, token } = await school.person('registrar')
    const now = performance.now.bind(performance)
    let passed = 0
    t.mock.method(performance, 'now', () => now() + passed)
    const piece = 'x'.repeat(pieceBytes)
    const pieces = 22
    const state = async () => {
      const imports = school.db.selectFrom('imports').select('state').where('user_id', '=', id)
      return (await imports.executeTakeFirst())?.state
    }
    /** Waits until so many pieces are there, or none is waited for any more. */
    const until = async (count: number) => {
      for (;;) {
        const stored = await school.db.selectFrom('import_chunks').select('place').execute()
        if (stored.length >= count || (await state()) === 'failed') return
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const head = frame([
      'POST /api/imports HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Authorization: Bearer ${token}`,
      'Content-Type: text/csv',
      `Content-Length: ${pieces * pieceBytes}`,
    ])
    const steadily = Array.from({ length: pieces - 1 }, (_, i) => [
      piece,
      async () => {
        await until(i + 1)
        passed += i < pieces - 2 ? 29_500 : 9_000 // one second less than is left of ten minutes
      },
    ])
    const { answers, ms } = await wire.exchange(head, ...steadily.flat(), () => until(pieces))
    t.mock.restoreAll()
    assert.deepEqual([answers[0]?.status, answers[0]?.body.code], [408, 'request_timeout'])
    assert.match(answers[0]!.body.detail, /A file of an import has 10 minutes/)
    assert.ok(ms >= 599_000 && ms < 612_000, `cut after ${ms} ms`)
    assert.equal(await state(), 'failed')
  })
})

describe('a file whose writes the database ends for another', onlyOn('postgres'), () => {
  it('is stored whole all the same', async () => {
    const { db, app } = await openSchool()
    // A sequence is not rolled back: every second try succeeds.
    await sql`create sequence tries`.execute(db)
    await sql`create function conflict() returns trigger language plpgsql as $$ begin
      if nextval('tries') % 2 = 1 then raise exception using errcode = '40001'; end if;
      return new; end $$`.execute(db)
    await sql`create trigger conflict after insert on import_chunks for each row execute function conflict()`.execute(
      db,
    )
    await sql`create trigger conflict after update of file_hash on imports for each row execute function conflict()`.execute(
      db,
    )
    const maxBytes = 3 * pieceBytes
    const id = await receiveFile(
      {
        ...{ db, clock: () => new Date(), holder: app.importJobs.holder, maxBytes },
        ending: new AbortController().signal,
      },
      { kind: 'students', mode: 'upsert', fileName: null },
      { by: byTest, check: () => {} },
      { body: Readable.from([Buffer.alloc(maxBytes, 'x')]), allow: () => {} },
    )
    const pieces = db.selectFrom('import_chunks').select('place').where('import_id', '=', id)
    const places = (await pieces.orderBy('place').execute()).map(({ place }) => place)
    assert.deepEqual(places, [0, 1, 2])
    const { file_bytes } = await db
      .selectFrom('imports')
      .select('file_bytes')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(file_bytes, maxBytes)
  })
})

describe('a file that is cut while nothing can be written', () => {
  it('has failed as soon as that can be again, long before its lease has run out', async () => {
    const { db, app } = await openSchool()
    const { importJobs } = app
    const execute = (statement: string) => write(db, byTest, (tx) => sql.raw(statement).execute(tx))
    if (engine === 'postgres') {
      await execute(
        `create function away() returns trigger language plpgsql as $$ begin raise exception 'away'; end $$`,
      )
      await execute(
        `create trigger away before update of state on imports for each row execute function away()`,
      )
    } else {
      await execute(
        `create trigger away before update of state on imports begin select raise(abort, 'away'); end`,
      )
    }
    async function* bytes() {
      yield Buffer.from('name')
      throw new Error('cut')
    }
    const received = receiveFile(
      {
        ...{ db, clock: () => new Date(), holder: importJobs.holder, maxBytes: pieceBytes },
        ...{ ending: new AbortController().signal, endLater: (id: number) => importJobs.endLater(id) },
      },
      { kind: 'students', mode: 'upsert', fileName: null },
      { by: byTest, check: () => {} },
      { body: Readable.from(bytes()), allow: () => {} },
    )
    await assert.rejects(received, /cut/)
    const state = async () => {
      importJobs.look()
      await importJobs.idle()
      return (await db.selectFrom('imports').select('state').executeTakeFirstOrThrow()).state
    }
    assert.equal(await state(), 'reading')
    await execute(`drop trigger away${engine === 'postgres' ? ' on imports' : ''}`)
    assert.equal(await state(), 'failed')
  })
})
