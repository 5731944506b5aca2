import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { byTest, openSchool, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { pieceBytes } from './staging.ts'
import { receiveFile } from './upload.ts'

/** Takes a file in, and leaves it to be read. @returns the id of its import */
function receive({ db, app }: School, file: AsyncIterable<Buffer> | Iterable<Buffer>, maxBytes: number) {
  return receiveFile(
    {
      ...{ db, clock: () => new Date(), holder: app.importJobs.holder, maxBytes },
      ending: new AbortController().signal,
    },
    { kind: 'students', mode: 'upsert', fileName: null },
    { by: byTest, check: () => {} },
    { body: Readable.from(file), allow: () => {} },
  )
}

describe('the stored file of an import', () => {
  for (const place of [0, 1, 2])
    it(`is not read where a piece of it is lost: number ${place}`, async () => {
      const school = await openSchool()
      const rows = Array.from({ length: 20_000 }, (_, i) => `Ada ${i},lost-${i},Class 1\n`)
      const file = Buffer.from(`name,admission_number,class\n${rows.join('')}`)
      assert.equal(Math.ceil(file.length / pieceBytes), 3)
      const id = await receive(school, [file], file.length)
      await write(school.db, {}, (tx) =>
        tx.deleteFrom('import_chunks').where('import_id', '=', id).where('place', '=', place).execute(),
      )
      school.app.importJobs.look()
      await school.app.importJobs.idle()
      const imports = school.db.selectFrom('imports').select(['state', 'failure']).where('id', '=', id)
      const { state, failure } = await imports.executeTakeFirstOrThrow()
      assert.deepEqual([state, JSON.parse(failure!).code], ['failed', 'internal_error'])
      assert.ok(school.log.some((line) => /bytes of the file of import \d+ are stored/.test(line)))
    })
})

describe('an upload that fails', () => {
  it('says why, though its import can not be given up at that moment', async () => {
    const school = await openSchool()
    async function* file() {
      await write(school.db, {}, (tx) => sql`alter table import_chunks rename to lost`.execute(tx))
      yield Buffer.alloc(2)
    }
    await assert.rejects(receive(school, file(), 1), { code: 'file_too_large' })
    await write(school.db, {}, (tx) => sql`alter table lost rename to import_chunks`.execute(tx))
  })
})
