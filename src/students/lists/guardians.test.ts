import assert from 'node:assert/strict'
import { before, describe, it, mock } from 'node:test'
import { sql } from 'kysely'
import { engine } from '../../../test/engine.ts'
import { personHolding } from '../../../test/grants.ts'
import { byTest, openSchool, type Person, type School } from '../../../test/school.ts'
import { SqliteReaders } from '../../db/sqlite-readers.ts'
import { write } from '../../events/write.ts'

const joerg = { name: 'Jörg Müller-Braun', phone: '+49 30 901820', email: 'joerg.m@family.example' }
const maria = { name: 'Maria Schmidt', phone: '0171/23 45 67', email: 'maria@x.example' }
const li = { name: '李小龙', phone: '(010) 6552 9988' }

describe('GET /api/students?guardian=', () => {
  let school: School
  let registrar: Person
  /** Students by what they are told apart by here. */
  const ids = { both: 0, joerg: 0, li: 0, none: 0 }

  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    const create = async (class_id: number, name: string, guardians: object[]) => {
      const body = { name, admission_number: name, class_id, guardians }
      return (await school.post('/api/students', body, registrar)).body.data.id as number
    }
    ids.both = await create(3, 'Zoë Both', [maria, joerg])
    ids.joerg = await create(4, 'Ada One', [joerg, { ...joerg, phone: '030 901820' }])
    ids.li = await create(4, 'Bo Two', [li])
    ids.none = await create(3, 'Joerg Müller', [])
  })

  const list = (guardian: string, query = '', as = registrar) =>
    school.get(`/api/students?guardian=${encodeURIComponent(guardian)}${query}`, as)
  async function found(guardian: string, query = '', as = registrar): Promise<number[]> {
    const { status, body, text } = await list(guardian, query, as)
    assert.equal(status, 200, text)
    assert.equal(body.pagination.total, body.data.length)
    return body.data.map(({ id }: { id: number }) => id)
  }

  const finds: [guardian: string, who: (keyof typeof ids)[]][] = [
    ['jorg', ['both', 'joerg']],
    ['JÖRG müll', ['both', 'joerg']],
    ['müller-br', ['both', 'joerg']],
    ['braun jö', ['both', 'joerg']],
    ['j', ['both', 'joerg']],
    ['m', ['both', 'joerg']],
    ['mari s', ['both']],
    ['örg', []],
    ['uller', []],
    ['maria müller', []],
    ['ada', []],
    ['龙', ['li']],
    ['小龙', ['li']],
    ['李龙', []],
    ['joerg.m@family.example', ['both', 'joerg']],
    ['Joerg.M@', ['both', 'joerg']],
    ['joerg.', ['both', 'joerg']],
    ['m@family', []],
    ['family.example', []],
    ['030 901820', ['both', 'joerg']],
    ['+49 30 901820', ['both', 'joerg']],
    ['0049/30/901820', ['both', 'joerg']],
    ['30901820', ['both', 'joerg']],
    ['1820', ['both', 'joerg']],
    ['9018', ['both', 'joerg']],
    ['82x', []],
    ['+49 171 234567', ['both']],
    ['234 567', ['both']],
    ['+86 10 65529988', ['li']],
    ['999999', []],
    ['* ?', []],
    ['[a-z]', []],
    ['%', []],
    ['_', []],
    ['\\', []],
    ['"', []],
    ['j\u0000', []],
  ]
  for (const [guardian, who] of finds) {
    it(`finds ${who.join(' and ') || 'nobody'} by ${JSON.stringify(guardian)}`, async () => {
      assert.deepEqual(
        await found(guardian),
        who.map((one) => ids[one]),
      )
    })
  }

  it('shows of a student what every list shows', async () => {
    const { body, text } = await list('小龙')
    assert.deepEqual(body.data, [
      { id: ids.li, name: 'Bo Two', admission_number: 'Bo Two', class_id: 4, class: 'Class 4' },
    ])
    assert.doesNotMatch(text, /李|6552/)
  })

  it('goes together with a search, a class, an order and pages, and the total is exact', async () => {
    assert.deepEqual(await found('müller', '&search=ada'), [ids.joerg])
    assert.deepEqual(await found('müller', '&search=nobody'), [])
    assert.deepEqual(await found('müller', '&class_id=3'), [ids.both])
    assert.deepEqual(await found('müller', '&class_id=3&search=ada'), [])
    assert.deepEqual(await found('müller', '&sort=name'), [ids.joerg, ids.both])
    assert.deepEqual(await found('müller', '&sort=-id'), [ids.joerg, ids.both])
    assert.deepEqual(await found('müller', '&sort=-admission_number'), [ids.both, ids.joerg])
    assert.deepEqual(await found('müller', '&sort=created_at'), [ids.both, ids.joerg])
    for (const [page, seen] of [
      [1, [ids.joerg]],
      [2, [ids.both]],
      [3, []],
    ] as const) {
      const { body } = await list('müller', `&sort=name&per_page=1&page=${page}`)
      assert.deepEqual([body.data.map(({ id }: { id: number }) => id), body.pagination.total], [seen, 2])
    }
  })

  it('is no filter where it is blank', async () => {
    assert.equal((await list('')).body.pagination.total, 4)
    assert.equal((await list('  ')).body.pagination.total, 4)
  })

  it('refuses too many words, and too long a text', async () => {
    const words = await list('a b c d e f g h i j k')
    assert.deepEqual([words.status, words.body.errors[0].pointer], [422, '/guardian'])
    assert.equal(words.body.errors[0].code, 'too_many_words')
    assert.equal((await list('a a b c d e f g h i j')).status, 200)
    assert.equal((await list('a'.repeat(101))).body.errors[0].code, 'too_long')
    assert.equal((await list('a'.repeat(100))).status, 200)
  })

  it('is for those who hold students.sensitive, in the classes for which they hold it', async () => {
    const admin = await school.person('administrator')
    assert.deepEqual(await found('müller', '', admin), [ids.both, ids.joerg])
    const viewers = [
      await school.person('viewer'),
      await personHolding(school, [['students.view'], 'all'], [['students.sensitive'], []]),
    ]
    for (const as of viewers) {
      for (const guardian of ['müller', 'nobody', ' ']) {
        const answer = await list(guardian, '', as)
        assert.deepEqual([answer.status, answer.body.code], [403, 'permission_denied'])
        assert.match(String(answer.headers['www-authenticate']), /scope="students.sensitive"/)
      }
    }
    const teacher = await personHolding(school, [['students.view'], 'all'], [['students.sensitive'], [3, 7]])
    assert.deepEqual(await found('müller', '', teacher), [ids.both])
    assert.deepEqual(await found('müller', '&class_id=4', teacher), [])
    assert.deepEqual(await found('龙', '', teacher), [])
    assert.deepEqual(await found('1820', '&search=one', teacher), [])
    const elsewhere = await personHolding(school, [['students.view'], [5]], [['students.sensitive'], 'all'])
    assert.deepEqual(await found('müller', '', elsewhere), [], 'whom they may not see they do not find')
    const apart = await personHolding(school, [['students.view'], [4]], [['students.sensitive'], [3]])
    assert.deepEqual(await found('müller', '', apart), [])
    const clerk = await personHolding(school, [['students.sensitive'], 'all'])
    assert.equal((await list('müller', '', clerk)).status, 403, 'without students.view there is no list')
    assert.equal((await school.get('/api/students?guardian=x')).status, 401)
  })

  it('keeps the other searches as they were: none finds a guardian', async () => {
    for (const search of ['braun', 'maria', '李', '901820', 'family.example']) {
      const { body } = await school.get(`/api/students?search=${encodeURIComponent(search)}`, registrar)
      assert.equal(body.pagination.total, 0, search)
    }
  })

  it('finds guardians as they come and go with a change, and with a student', async () => {
    const change = (guardians: object[] | null) =>
      school.send('PATCH', `/api/students/${ids.none}`, {
        as: registrar,
        body: { guardians },
        headers: { 'if-match': '*' },
      })
    assert.equal((await change([{ name: 'Xenia Xu', phone: '5551234', email: 'xx@x.example' }])).status, 200)
    for (const guardian of ['xenia', '5551234', 'xx@'])
      assert.deepEqual(await found(guardian), [ids.none], guardian)
    assert.equal((await change([{ name: 'Yann' }])).status, 200)
    for (const guardian of ['xenia', '5551234', 'xx@']) assert.deepEqual(await found(guardian), [], guardian)
    assert.deepEqual(await found('yann'), [ids.none])
    const { body } = await school.post(
      '/api/students',
      { name: 'Gone', admission_number: 'gone', class_id: 1, guardians: [{ name: 'Gonzo' }] },
      registrar,
    )
    const { id } = body.data
    assert.deepEqual(await found('gonzo'), [id])
    await write(school.db, byTest, (db) => db.deleteFrom('students').where('id', '=', id).execute())
    assert.deepEqual(await found('gonzo'), [])
    assert.equal((await change(null)).status, 200)
    assert.deepEqual(await found('yann'), [])
    if (engine === 'sqlite') {
      await write(school.db, byTest, (db) =>
        sql`insert into guardian_search (guardian_search, rank) values ('integrity-check', 1)`.execute(db),
      )
    }
  })

  it('leaves nothing behind of a creation or a change that is refused', async () => {
    const texts = () => school.db.selectFrom('guardian_texts').selectAll().orderBy('id').execute()
    const before = await texts()
    const guardians = [{ name: 'Refused' }]
    const body = { name: 'A', admission_number: 'Zoë Both', class_id: 1, guardians }
    assert.equal((await school.post('/api/students', body, registrar)).status, 409)
    assert.deepEqual(await texts(), before)
    assert.deepEqual(await found('refused'), [])
  })

  it('is read beside the event loop on SQLite', async (t) => {
    if (engine !== 'sqlite') return t.skip()
    let beside = 0
    const { pageBeside } = SqliteReaders.prototype
    mock.method(SqliteReaders.prototype, 'pageBeside', function (this: SqliteReaders, read: never) {
      beside++
      return pageBeside.call(this, read)
    })
    for (let i = 0; i < 3; i++) await list('müller')
    mock.restoreAll()
    assert.equal(beside, 3)
  })
})
