import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { atEnd } from '../../test/cleanup.ts'
import { engine } from '../../test/engine.ts'
import { Importer, type ShownImport } from '../../test/import-calls.ts'
import { lockWaits } from '../../test/lock-waits.ts'
import { openSchool } from '../../test/school.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { ImportJobs } from './jobs.ts'
import { findFree } from './leases.ts'
import { steps } from './steps.ts'

describe('two uploads of one file that end at the same moment', () => {
  it('are one import', async () => {
    const school = await openSchool()
    const as = await school.person('registrar')
    const payload = 'name,admission_number,class_id\nAda Lovelace,same-1,1\n'
    const upload = () =>
      school.send('POST', '/api/imports', { as, payload, headers: { 'content-type': 'text/csv' } })

    // On SQLite one write is made at a time.
    const barrier = engine === 'postgres' ? await openBarrier(school.databaseUrl) : undefined
    let ended = 0
    const uploads = [upload(), upload()].map((answer) => answer.finally(() => ended++))
    while (barrier !== undefined && ended === 0 && (await lockWaits(school.db)) < uploads.length) await turn()
    await barrier?.end()

    const [first, second] = await Promise.all(uploads)
    assert.deepEqual([first!.status, second!.status], [202, 202])
    assert.equal(first!.body.data.id, second!.body.data.id)
    await school.app.importJobs.idle()
    const { body } = await school.get('/api/imports', as)
    assert.equal(body.pagination.total, 1)
    assert.equal(body.data[0].state, 'planned')
    const chunks = await school.db.selectFrom('import_chunks').select('import_id').execute()
    assert.deepEqual(chunks, [{ import_id: first!.body.data.id }])
  })
})

describe('a file that was applied within the day', () => {
  it('is the same import until another file was applied since: then it is wanted again', async () => {
    const school = await openSchool()
    const as = await school.person('registrar')
    const office = new Importer(school, as)
    const other = new Importer(school, await school.person('administrator'))
    const file = (place: number) => `name,admission_number,class_id\nAda Lovelace,again-1,${place}\n`
    const classOf = async () => (await school.get('/api/students/1', as)).body.data.class_id
    const first = await office.planned(file(1))
    await office.applied(first)
    assert.equal(await office.send(file(1)), first.id)
    const later = await other.applied(await other.planned(file(2)))
    assert.equal(await classOf(), 2)
    const again = await office.planned(file(1))
    assert.notEqual(again.id, first.id)
    assert.deepEqual([again.counts.change, await office.send(file(1))], [1, again.id])
    const [warning] = again.warnings
    assert.deepEqual([warning.code, warning.params], ['imported_before', { import: first.id }])
    assert.deepEqual(later.warnings, [])
    await office.applied(again)
    assert.equal(await classOf(), 1)
    await other.undone(later.id)
    assert.equal(await office.send(file(1)), again.id)
  })

  it('is another import as soon as its undo is asked for: it is planned when that has ended', async () => {
    const school = await openSchool()
    const { db, app } = school
    const as = await school.person('registrar')
    const file = 'name,admission_number,class_id\nAda Lovelace,again-3,1\n'
    const before = new Importer(school, as)
    const first = await before.applied(await before.planned(file))
    await app.importJobs.stop()
    const clock = () => school.now()
    const jobs = new ImportJobs({ db, clock, lists: openStudentLists(db), log: app.log, steps })
    const office = new Importer(school, as, async () => {
      jobs.look()
      await jobs.idle()
    })
    assert.equal((await office.undo(first.id)).status, 202)
    const again = await office.send(file)
    assert.notEqual(again, first.id)
    assert.equal(await office.send(file), again)
    assert.deepEqual(await findFree(db, school.now().toISOString()), [first.id])
    const { state, counts, warnings } = await office.read(again)
    assert.deepEqual([state, counts.create, warnings], ['planned', 1, []])
  })

  it('is told of where whoever sent it would write something by it again, until it is taken back', async () => {
    const school = await openSchool()
    const as = await school.person('registrar')
    const office = new Importer(school, as)
    const other = new Importer(school, await school.person('registrar'))
    const file = (place: number) => `name,admission_number,class_id\nAda Lovelace,again-2,${place}\n`
    const befores = ({ warnings }: ShownImport) => warnings.map(({ params }: { params: object }) => params)
    const first = await office.applied(await office.planned(file(1)))
    await other.applied(await other.planned(file(2)))
    const again = await office.planned(file(1))
    assert.deepEqual([again.counts.change, befores(again)], [1, [{ import: first.id }]])
    const others = await other.planned(file(1))
    assert.deepEqual([others.counts.change, befores(others)], [1, []], 'that import is somebody else’s')
    await office.undone(first.id)
    const after = await office.continued(await office.read(again.id), {})
    assert.deepEqual([after.counts.change, befores(after)], [1, []])
  })
})

/** Makes an upload wait when it would stand for its file, until this connection ends. */
async function openBarrier(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  atEnd(() => client.end())
  await client.connect()
  await client.query(`create function wait_here() returns trigger language plpgsql
    as $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$`)
  await client.query(`create trigger wait_here before update of file_hash on imports
    for each row execute function wait_here()`)
  await client.query('select pg_advisory_lock(1)')
  return client
}
