import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { onlyOn } from '../../test/engine.ts'
import { openSchool } from '../../test/school.ts'

/** Why PostgreSQL can't write, whatever is written, and its SQLSTATE. */
const faults = {
  'has no room on its disk': '53100',
  'has no memory': '53200',
  'is read-only': '25006',
  'fails at its disk': '58030',
  'gave no lock in time': '55P03',
  'had no time for it': '57014',
}

/** More than the pool has connections. */
const requests = 12

// What SQLite answers when its disk is full: `commits.test.ts`.
describe('a write that PostgreSQL refuses because it', onlyOn('postgres'), () => {
  for (const [what, sqlState] of Object.entries(faults)) {
    it(`${what} is 503, leaves nothing, and works when it is sent again`, async () => {
      const school = await openSchool()
      const registrar = await school.person('registrar')
      const body = sql.lit(
        `begin raise exception 'cannot write' using errcode = '${sqlState}', detail = new.fields; end`,
      )
      await sql`create function fail() returns trigger language plpgsql as ${body}`.execute(school.db)
      await sql`create trigger fail before insert on events
        for each row execute function fail()`.execute(school.db)
      const create = (_: unknown, i: number) =>
        school.send('POST', '/api/students', {
          as: registrar,
          body: { name: 'Canary', admission_number: `bird-${i}`, class_id: 1 },
          headers: { 'idempotency-key': `key-${i}` },
        })
      const createAll = () => Promise.all(Array.from({ length: requests }, create))

      const refused = await createAll()
      for (const { status, body, headers } of refused)
        assert.deepEqual([status, body.code, headers['retry-after']], [503, 'database_unavailable', '1'])
      assert.equal(await school.count('students'), 0)
      assert.equal((await school.get('/api/students', registrar)).status, 200, 'reads go on')
      const lines = school.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'request')
      assert.deepEqual(
        lines.map(({ msg, fault }) => [msg, fault.message, fault.code]),
        [['the database is unavailable', 'cannot write', sqlState]],
      )
      assert.doesNotMatch(school.log.join(''), /Canary|bird/)

      await sql`drop function fail cascade`.execute(school.db)
      for (const { status, text } of await createAll()) assert.equal(status, 201, text)
      assert.equal(await school.count('students'), requests)
    })
  }

  for (const sqlState of ['XX001', 'XX002'])
    it(`finds a part of itself damaged (${sqlState}) is 503 with a code of its own, and the log says why`, async () => {
      const school = await openSchool()
      const registrar = await school.person('registrar')
      const body = sql.lit(`begin raise exception 'damaged page' using errcode = '${sqlState}'; end`)
      await sql`create function fail() returns trigger language plpgsql as ${body}`.execute(school.db)
      await sql`create trigger fail before insert on events
        for each row execute function fail()`.execute(school.db)
      const student = { name: 'Canary', admission_number: 'bird', class_id: 1 }
      const { status, body: problem, headers } = await school.post('/api/students', student, registrar)
      assert.deepEqual([status, problem.code, headers['retry-after']], [503, 'database_damaged', '60'])
      const [told] = school.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'request')
      assert.deepEqual([told.level, told.code, told.fault.message], ['error', problem.code, 'damaged page'])
      assert.equal(await school.count('students'), 0)
    })
})
