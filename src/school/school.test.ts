import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { everything } from '../../test/routes.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { nameOrderOf } from './name-order.ts'

describe('/api/school', () => {
  let school: School
  let admin: Person
  let stranger: Person
  before(async () => {
    school = await openSchool()
  })
  beforeEach(async () => {
    await write(school.db, byTest, async (db) => {
      await db
        .updateTable('school')
        .set({ ...fresh, version: 1 })
        .execute()
      await db.deleteFrom('events').where('record', '=', 'school').execute()
    })
    admin = await school.person('administrator')
    stranger = await school.person()
  })

  const fresh = { name: null, address: null, time_zone: 'UTC', name_order: 'given_first' } as const
  const read = (as = stranger) => school.get('/api/school', as)
  const patch = (body: unknown, { as = admin, ifMatch = '*' } = {}) =>
    school.send('PATCH', '/api/school', { as, body, headers: { 'if-match': ifMatch } })
  const events = async () => {
    const rows = await school.db.selectFrom('events').selectAll().where('record', '=', 'school').execute()
    return rows.map(({ record_id, action, fields }) => ({ record_id, action, fields: JSON.parse(fields) }))
  }

  it('tells everyone who is logged in what the school says of itself', async () => {
    const answer = await read()
    assert.deepEqual([answer.status, answer.body], [200, { success: true, data: fresh }])
    const headers = { 'if-none-match': String(answer.headers.etag) }
    assert.equal((await school.send('GET', '/api/school', { as: stranger, headers })).status, 304)
    assert.equal((await school.get('/api/school')).status, 401)
  })

  it('takes changes of what is named, answers as a reading does, and logs what changed', async () => {
    const before = await read()
    school.passSeconds(60)
    const given = {
      name: ' Lindenschule ',
      address: 'Lindenweg 4\r\n12345 Berlin',
      time_zone: 'Europe/Berlin',
    }
    const answer = await patch(given, { ifMatch: String(before.headers.etag) })
    const expected = { ...fresh, ...given, name: 'Lindenschule', address: 'Lindenweg 4\n12345 Berlin' }
    assert.deepEqual([answer.status, answer.body.data], [200, expected], answer.text)
    const after = await read()
    assert.deepEqual(after.body, answer.body)
    assert.equal(after.headers.etag, answer.headers.etag)
    assert.notEqual(after.headers.etag, before.headers.etag)
    assert.deepEqual((await patch({ address: null, name_order: 'family_first' })).body.data, {
      ...expected,
      address: null,
      name_order: 'family_first',
    })
    assert.deepEqual(await events(), [
      {
        record_id: 1,
        action: 'changed',
        fields: {
          name: [null, 'Lindenschule'],
          address: [null, 'Lindenweg 4\n12345 Berlin'],
          time_zone: ['UTC', 'Europe/Berlin'],
        },
      },
      {
        record_id: 1,
        action: 'changed',
        fields: {
          address: ['Lindenweg 4\n12345 Berlin', null],
          name_order: ['given_first', 'family_first'],
        },
      },
    ])
  })

  it('says in which order names are written', async () => {
    assert.equal(await nameOrderOf(school.db), 'given_first')
    await patch({ name_order: 'family_first' })
    assert.equal(await nameOrderOf(school.db), 'family_first')
  })

  it('makes no new version of a change that changes nothing', async () => {
    const before = await read()
    const state = await everything(school)
    for (const body of [{}, fresh, { time_zone: 'UTC' }]) {
      const answer = await patch(body)
      assert.deepEqual([answer.status, answer.headers.etag], [200, before.headers.etag])
    }
    assert.equal(await everything(school), state)
  })

  const bad: [what: string, body: object, fault: string][] = [
    ['an empty name', { name: '' }, '/name too_short'],
    ['a name of blanks', { name: '  ' }, '/name too_short'],
    ['a name that nobody can see', { name: '\u200d' }, '/name invalid_format'],
    ['a name in two lines', { name: 'a\nb' }, '/name invalid_format'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, '/name too_long'],
    ['an address of 501 characters', { address: 'x'.repeat(501) }, '/address too_long'],
    ['an address with a control character', { address: 'a\u0000b' }, '/address invalid_format'],
    ['a time zone that is none', { time_zone: 'Europe/Lindenburg' }, '/time_zone invalid_format'],
    ['an offset for a time zone', { time_zone: '+01:00' }, '/time_zone invalid_format'],
    ['no time zone', { time_zone: null }, '/time_zone wrong_type'],
    ['another order of names', { name_order: 'by age' }, '/name_order not_allowed'],
    ['no order of names', { name_order: null }, '/name_order not_allowed'],
    ['what is not known', { logo: 'x' }, '/logo unknown_member'],
  ]
  it('refuses what is not valid, and changes nothing', async () => {
    const state = await everything(school)
    for (const [what, body, fault] of bad) {
      const answer = await patch(body)
      const faults = answer.body.errors?.map(
        ({ pointer, code }: Record<string, string>) => `${pointer} ${code}`,
      )
      assert.deepEqual([answer.status, faults], [422, [fault]], what)
    }
    assert.equal(await everything(school), state)
  })

  it('takes names of time zones as the IANA database has them', async () => {
    for (const time_zone of ['Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+1', 'UTC'])
      assert.equal((await patch({ time_zone })).body.data.time_zone, time_zone)
  })

  it('is changed by who holds school.manage for all classes, and by nobody else', async () => {
    const state = await everything(school)
    const others = [
      stranger,
      await school.person('registrar'),
      await school.person('viewer'),
      await personHolding(school, [['fields.manage', 'users.manage', 'roles.manage', 'audit.view'], 'all']),
      await personHolding(school, [['school.manage'], [1, 2, 3]]),
    ]
    const before = await everything(school)
    assert.notEqual(before, state)
    for (const as of others) {
      const { status, body } = await patch({ name: 'Mine' }, { as })
      assert.deepEqual([status, body.code], [403, 'permission_denied'])
    }
    assert.equal(await everything(school), before)
    const manager = await personHolding(school, [['school.manage'], 'all'])
    assert.equal((await patch({ name: 'Lindenschule' }, { as: manager })).status, 200)
  })

  it('is changed only in the version that is named', async () => {
    const { headers } = await read()
    const bare = await school.send('PATCH', '/api/school', { as: admin, body: { name: 'A' } })
    assert.deepEqual([bare.status, bare.body.code], [428, 'precondition_required'])
    const tag = String(headers.etag)
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => patch({ name }, { ifMatch: tag })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412])
    const won = answers.find(({ status }) => status === 200)!
    assert.deepEqual((await read()).body, won.body)
    assert.equal((await events()).length, 1)
  })
})
