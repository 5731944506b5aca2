// Runs once, and measures times: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { inFile } from '../../test/files.ts'
import { insertStudents } from '../../test/many-students.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { openWire } from '../../test/wire.ts'
import type { PageRead } from '../db/sqlite-reader.ts'
import { sqliteReadersOf } from '../db/sqlite-readers.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A page that takes a second or more: on a busy machine too, some requests are answered meanwhile. */
const slow: PageRead = {
  page: {
    sql: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
      select 1 as count, cast(json_array(max(i)) as blob) as json from n`,
    parameters: [8_000_000],
  },
  total: { sql: 'select 1 as total', parameters: [] },
  limit: 20,
  offset: 0,
}

/** Keeps reading threads busy for some time. */
function occupy(school: School, threads: 1 | 2) {
  const busy = { isOver: false, ended: Promise.resolve() }
  const pages = Array.from({ length: threads }, () => sqliteReadersOf(school.db)!.pageBeside(slow))
  busy.ended = Promise.all(pages).then(() => {
    busy.isOver = true
  })
  return busy
}

describe('while searches take long', () => {
  let school: School
  let viewer: Person
  before(async () => {
    school = await openSchool()
    viewer = await school.person('viewer')
    await insertStudents(
      school.db,
      Array.from({ length: 2_000 }, (_, i) => `Student Number${i}`),
    )
    await school.get('/api/students?search=number', viewer)
  })
  const search = (word: string) => school.get(`/api/students?search=${word}`, viewer)

  it('students are read, listed and searched for beside them', async () => {
    const busy = occupy(school, 1)
    const began = performance.now()
    const searches: Promise<unknown>[] = []
    let longest = 0
    let rounds = 0
    for (; !busy.isOver; rounds++) {
      if (rounds < 50) searches.push(search(`number${rounds}`))
      const begun = performance.now()
      const place = rounds % 2_000
      const { status, body } = await school.get(`/api/students/${place + 1}`, viewer)
      longest = Math.max(longest, performance.now() - begun)
      assert.deepEqual([status, body.data.name], [200, `Student Number${place}`])
      if (rounds === 2) assert.equal((await search('Number1999')).body.pagination.total, 1)
      await turn()
    }
    const took = performance.now() - began
    assert.ok(rounds > 2, `${rounds} rounds`)
    assert.ok(longest < took / 2, `one of ${rounds} reads took ${longest} of ${took} ms`)
    await Promise.all(searches)
  })

  it('a search that finds no free thread for 5 s is 503, and others go on', async (test) => {
    const busy = occupy(school, 2)
    test.mock.timers.enable({ apis: ['setTimeout'] })
    let isAnswered = false
    const waiting = search('unheard').finally(() => {
      isAnswered = true
    })
    let seconds = 0
    for (; !isAnswered; seconds++) {
      assert.equal((await school.get('/api/students', viewer)).status, 200)
      await turn()
      test.mock.timers.tick(1_000)
    }
    const { status, body, headers } = await waiting
    assert.deepEqual([status, body.code, headers['retry-after']], [503, 'database_unavailable', '1'])
    assert.ok(!busy.isOver)
    assert.ok(seconds >= 5 && seconds < 10, `after ${seconds} s`)
    await busy.ended
    assert.equal((await search('unheard')).status, 200)
    assert.doesNotMatch(school.log.join(''), /unheard/, 'and the log does not say for what')
  })

  it('a client that goes away is answered into nothing', async () => {
    const wire = await openWire(school)
    const busy = occupy(school, 2)
    const sockets = ['gone', 'gone', 'away'].map((word) => {
      const socket = wire.connect()
      const authorization = `Authorization: Bearer ${viewer.token}`
      socket.write(`GET /api/students?search=${word} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`)
      return socket
    })
    const arrived = () =>
      new Promise<number>((resolve) => school.app.server.getConnections((_, n) => resolve(n!)))
    while ((await arrived()) < sockets.length) await turn()
    for (let i = 0; i < 20; i++) assert.equal((await school.get('/api/students/1', viewer)).status, 200)
    assert.ok(!busy.isOver)
    for (const socket of sockets) socket.destroy()
    while ((await arrived()) > 0) await turn()
    await busy.ended
    assert.equal((await search('number7')).body.pagination.total, 111)
    const faults = school.log.filter((line) => JSON.parse(line).level === 'error')
    assert.deepEqual(
      faults.filter((line) => !line.includes('the reading threads are busy')),
      [],
    )
  })

  it('a search index that cannot be read is 503', async () => {
    inFile(school.databaseUrl, (db) => {
      db.enableDefensive(false)
      db.exec('delete from student_search_data where id > 10')
    })
    await turn()
    const { status, body } = await search('number8')
    assert.deepEqual([status, body.code], [503, 'database_damaged'])
    assert.equal((await school.get('/api/students', viewer)).body.pagination.total, 2_000)
  })
})
