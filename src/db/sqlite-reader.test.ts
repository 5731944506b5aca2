// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { atEnd, temporaryFolder } from '../../test/cleanup.ts'
import { byTest, openSchool, type School } from '../../test/school.ts'
import { frame, openWire } from '../../test/wire.ts'
import { write } from '../events/write.ts'
import { sqlitePath } from './open.ts'
import { prepare } from './prepare.ts'
import { SqliteReader } from './sqlite-reader.ts'
import { sqliteReadersOf } from './sqlite-readers.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

function open() {
  const path = join(temporaryFolder(), 'marks.db')
  const writer = new DatabaseSync(path)
  writer.exec('pragma journal_mode = wal; create table marks (id integer primary key)')
  const reader = new SqliteReader(path)
  atEnd(() => {
    reader.close()
    writer.close()
  })
  const count = { sql: 'select count(*) as marks from marks', parameters: [] }
  return {
    reader,
    mark: () => writer.exec('insert into marks default values'),
    marks: () => (reader.all(count)[0] as { marks: number }).marks,
  }
}

describe('a reading connection', () => {
  it('sees what another one commits after the end of its snapshot, and not before', async () => {
    const { reader, mark, marks } = open()
    assert.equal(marks(), 0)
    mark()
    assert.equal(marks(), 0)
    reader.endSnapshot()
    assert.equal(marks(), 1)
    reader.endSnapshot()
    reader.endSnapshot()
    mark()
    assert.equal(marks(), 2)
  })

  it('ends its snapshot with the turn of the event loop', async () => {
    const { mark, marks } = open()
    for (let i = 0; i < 5; i++) {
      assert.equal(marks(), i)
      mark()
      assert.equal(marks(), i)
      await turn()
    }
  })

  it('reads on after a statement that fails, in the same snapshot until the turn ends', async () => {
    const { reader, mark, marks } = open()
    const failing = [
      'nonsense',
      'select * from nowhere',
      'select abs(-9223372036854775807 - 1)',
      'delete from marks',
    ]
    for (const [i, sql] of failing.entries()) {
      assert.equal(marks(), i)
      assert.throws(() => reader.all({ sql, parameters: [] }), { code: 'ERR_SQLITE_ERROR' })
      mark()
      assert.equal(marks(), i)
      await turn()
      assert.throws(() => reader.all({ sql, parameters: [] }), { code: 'ERR_SQLITE_ERROR' })
      assert.equal(marks(), i + 1)
      reader.endSnapshot()
    }
  })

  it('counts a list by its own statement only where a page does not tell', () => {
    const { reader } = open()
    const totalOf = (count: number, limit: number, offset: number) => {
      const page = { sql: "select ? as count, cast('[7]' as blob) as json", parameters: [count] }
      const total = { sql: 'select 99 as total', parameters: [] }
      const found = reader.page({ page, total, limit, offset })
      assert.equal(Buffer.from(found.json).toString(), '[7]')
      return found.total
    }
    assert.equal(totalOf(0, 3, 0), 0)
    assert.equal(totalOf(2, 3, 0), 2)
    assert.equal(totalOf(2, 3, 30), 32)
    assert.equal(totalOf(3, 3, 0), 99, 'a full page may be followed by others')
    assert.equal(totalOf(0, 3, 30), 99, 'a page past the end tells nothing')
  })
})

describe('reads of a school', () => {
  const findLabel = prepare<{ id: number }, { label: string }>((db, { id }) =>
    db.selectFrom('classes').select('label').where('id', '=', id),
  )
  const labelOf = async (school: School, id = 1) => (await findLabel(school.db, { id }))[0]!.label
  const rename = (school: School, label: string) =>
    write(school.db, byTest, (db) => db.updateTable('classes').set({ label }).where('id', '=', 1).execute())

  it('that follow one another are of one snapshot, and later ones see what a command wrote', async () => {
    const school = await openSchool()
    const command = new DatabaseSync(sqlitePath(school.databaseUrl))
    atEnd(() => command.close())
    await turn()
    assert.equal(await labelOf(school), 'Class 1')
    command.exec("update classes set label = 'Renamed' where id = 1")
    assert.equal(await labelOf(school), 'Class 1')
    await turn()
    assert.equal(await labelOf(school), 'Renamed')
  })

  it('see what is written from the moment it is answered, though a snapshot was open', async () => {
    const school = await openSchool()
    for (let i = 0; i < 50; i++) {
      let seen: string | undefined
      const renaming = rename(school, `Class ${i}`).then(async () => (seen = await labelOf(school)))
      while (seen === undefined) {
        await labelOf(school) // opens a snapshot that lasts until the next turn's end
        await turn()
      }
      await renaming
      assert.equal(seen, `Class ${i}`)
    }
  })

  it('see what a command wrote from the next request on, right after others have read', async () => {
    const school = await openSchool()
    const wire = await openWire(school)
    const { token } = await school.person('viewer')
    const command = new DatabaseSync(sqlitePath(school.databaseUrl))
    const sockets = [wire.connect(), wire.connect()]
    atEnd(() => {
      command.close()
      for (const socket of sockets) socket.destroy()
    })
    const readOn = async (socket: Socket): Promise<string> => {
      socket.write(
        frame(['GET /api/classes/1 HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${token}`]),
      )
      const [bytes] = await once(socket, 'data')
      return String(bytes)
    }
    await Promise.all(sockets.map(readOn))
    for (let i = 0; i < 50; i++) {
      await readOn(sockets[0]!)
      command.exec(`update classes set label = 'Class ${i}' where id = 1`)
      assert.match(await readOn(sockets[1]!), new RegExp(`"label":"Class ${i}"`))
    }
  })

  it('see what a command wrote though what waits its turn was there before the last snapshot', async () => {
    const school = await openSchool()
    const wire = await openWire(school)
    const { token } = await school.person('viewer')
    const command = new DatabaseSync(sqlitePath(school.databaseUrl))
    const [waiting, asking] = [wire.connect(), wire.connect()]
    atEnd(() => {
      command.close()
      waiting.destroy()
      asking.destroy()
    })
    const nothing = frame(['GET /api/nothing HTTP/1.1', 'Host: localhost'])
    const ask = () =>
      asking.write(
        frame(['GET /api/classes/1 HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${token}`]),
      )
    ask()
    await once(asking, 'data')
    const answer = once(asking, 'data')
    // The line of the first is logged when the second waits for the next turn; then a snapshot is opened.
    school.log.push = (...lines) => {
      Reflect.deleteProperty(school.log, 'push')
      process.nextTick(() => {
        sqliteReadersOf(school.db)!.all({ sql: 'select count(*) from classes', parameters: [] })
        command.exec("update classes set label = 'Renamed' where id = 1")
        ask()
      })
      return school.log.push(...lines)
    }
    waiting.write(nothing + nothing)
    assert.match(String((await answer)[0]), /"label":"Renamed"/)
  })

  it('know a token as dead from the moment its logout is answered', async () => {
    const school = await openSchool()
    for (let i = 0; i < 10; i++) {
      const person = await school.person('viewer')
      let status: number | undefined
      const leaving = school.post('/api/auth/logout', undefined, person).then(async () => {
        status = (await school.get('/api/students/1', person)).status
      })
      while (status === undefined) {
        sqliteReadersOf(school.db)!.all({ sql: 'select count(*) from sessions', parameters: [] })
        await turn()
      }
      await leaving
      assert.equal(status, 401)
    }
  })
})
