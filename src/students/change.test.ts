import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { checkSearchIndex } from '../../test/many-students.ts'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'

const details = {
  preferred_name: 'Zozo',
  date_of_birth: '2014-03-09',
  gender: 'female',
  guardians: [
    {
      name: 'Jörg Müller',
      relation: 'father',
      phone: '+49 30 901820',
      email: 'j@family.example',
      address: null,
      note: null,
    },
  ],
  notes: 'Allergic to nuts.\n\tCarries a pen.',
}

function faultsOf({ body }: Answer): string[] {
  return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
}

describe('PATCH /api/students/{id}', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const read = (id: number, as = registrar) => school.get(`/api/students/${id}`, as)
  const row = (id: number) =>
    school.db.selectFrom('students').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  /** Sends a patch for the version that is there now, unless another one is named. */
  const patch = (id: number, body: unknown, { as = registrar, ifMatch = '*' } = {}) =>
    school.send('PATCH', `/api/students/${id}`, { as, body, headers: { 'if-match': ifMatch } })

  const student = async (given: object = {}) => {
    const body = { name: 'Zoë Müller', admission_number: crypto.randomUUID(), class_id: 3, ...given }
    const answer = await school.post('/api/students', body, registrar)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data.id as number
  }

  /** The answer is a refusal with this code, and the row is as it was. */
  async function assertRefused(id: number, send: () => Promise<Answer>, status: number, code: string) {
    const before = await row(id)
    const answer = await send()
    assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text)
    assert.deepEqual(await row(id), before)
    return answer
  }

  async function found(search: string): Promise<number[]> {
    const answer = await school.get(`/api/students?search=${encodeURIComponent(search)}`, registrar)
    return answer.body.data.map(({ id }: { id: number }) => id)
  }

  it('shows the members of a record in the order in which reading shows them', async () => {
    const id = await student(details)
    const changed = await patch(id, { name: 'Zoe' })
    assert.deepEqual(Object.keys(changed.body.data), Object.keys((await read(id)).body.data))
  })

  it('changes what is named, keeps the rest, and answers as a reading does', async () => {
    const id = await student(details)
    const before = await read(id)
    school.passSeconds(60)
    const answer = await patch(
      id,
      { name: 'Zoë Weiß', class_id: 4 },
      { ifMatch: String(before.headers.etag) },
    )
    assert.equal(answer.status, 200, answer.text)
    const expected = { ...before.body.data, name: 'Zoë Weiß', class_id: 4, class: 'Class 4' }
    assert.deepEqual(answer.body, { success: true, data: expected })
    const after = await read(id)
    assert.deepEqual(after.body, answer.body)
    assert.equal(after.headers.etag, answer.headers.etag)
    assert.notEqual(answer.headers.etag, before.headers.etag)
    const { version, updated_at, created_at, folded_name } = await row(id)
    assert.deepEqual([version, updated_at, folded_name], [2, school.now().toISOString(), 'zoe weiss'])
    assert.ok(created_at < updated_at)
  })

  it('takes JSON and merge patches alike, and nothing else', async () => {
    const id = await student()
    for (const type of [
      'application/json',
      'application/merge-patch+json',
      'application/merge-patch+json; charset=utf-8',
    ]) {
      const headers = { 'if-match': '*', 'content-type': type }
      const payload = JSON.stringify({ preferred_name: type })
      const answer = await school.send('PATCH', `/api/students/${id}`, { as: registrar, payload, headers })
      assert.deepEqual([answer.status, answer.body.data.preferred_name], [200, type])
    }
    const headers = { 'if-match': '*', 'content-type': 'application/json-patch+json' }
    const other = () => school.send('PATCH', `/api/students/${id}`, { as: registrar, payload: '[]', headers })
    const refused = await assertRefused(id, other, 415, 'unsupported_media_type')
    assert.match(String(refused.headers['accept-patch']), /merge-patch/)
  })

  it('takes an optional member away with null, and adds it again', async () => {
    const id = await student(details)
    const gone = Object.fromEntries(Object.keys(details).map((name) => [name, null]))
    const { body } = await patch(id, gone)
    for (const name of Object.keys(details)) assert.equal(body.data[name], null, name)
    assert.deepEqual((await read(id)).body, body)
    const again = (await patch(id, details)).body.data
    for (const [name, value] of Object.entries(details)) assert.deepEqual(again[name], value)
    assert.equal((await row(id)).version, 3)
  })

  it('replaces the guardians as a whole; an empty list is none', async () => {
    const id = await student(details)
    const nobody = { relation: null, phone: null, email: null, address: null, note: null }
    const { body } = await patch(id, { guardians: [{ name: ' Änne ' }, { name: 'B', email: 'B@X.Example' }] })
    assert.deepEqual(body.data.guardians, [
      { ...nobody, name: 'Änne' },
      { ...nobody, name: 'B', email: 'b@x.example' },
    ])
    assert.deepEqual((await patch(id, { guardians: body.data.guardians })).body, body, 'as it was shown')
    assert.equal((await patch(id, { guardians: [] })).body.data.guardians, null)
  })

  it('changes nothing with an empty patch, or one that says what is there: the version stays', async () => {
    const id = await student(details)
    const before = await read(id)
    const { id: _, class: __, ...same } = before.body.data
    for (const body of [{}, same, { name: ' Zoe\u0308 Müller ' }]) {
      const answer = await patch(id, body, { ifMatch: String(before.headers.etag) })
      assert.deepEqual([answer.status, answer.body], [200, before.body])
      assert.equal(answer.headers.etag, before.headers.etag)
    }
    assert.equal((await row(id)).version, 1)
  })

  const refused: [what: string, body: unknown, faults: string[]][] = [
    ['null for a name', { name: null }, ['/name wrong_type']],
    ['null for an admission number', { admission_number: null }, ['/admission_number wrong_type']],
    ['null for a class', { class_id: null }, ['/class_id wrong_type']],
    ['an empty name', { name: ' ' }, ['/name too_short']],
    ['a class that is not there', { name: 'New', class_id: 99 }, ['/class_id unknown_class']],
    ['an id', { id: 7 }, ['/id unknown_member']],
    ['a version', { version: 7 }, ['/version unknown_member']],
    ['a class label', { class: 'Class 1' }, ['/class unknown_member']],
    ['tomorrow', { date_of_birth: '2026-09-02' }, ['/date_of_birth in_future']],
    [
      'a fault in a guardian',
      { guardians: [{ name: 'A' }, { email: 'x' }] },
      ['/guardians/1/name required', '/guardians/1/email invalid_format'],
    ],
    ['a list', [], [' wrong_type']],
  ]
  for (const [what, body, faults] of refused) {
    it(`refuses ${what}, and changes nothing`, async () => {
      const id = await student()
      const answer = await assertRefused(id, () => patch(id, body), 422, 'validation_failed')
      assert.deepEqual(faultsOf(answer), faults)
    })
  }

  it('names at once what no schema tells: birth, identifiers, own fields and the class', async () => {
    const id = await student()
    const two = [
      { system: 'sis', value: '1' },
      { system: 'SIS', value: '1' },
    ]
    const body = { date_of_birth: '2099-01-01', identifiers: two, fields: { nothing: 1 }, class_id: 99 }
    const answer = await assertRefused(id, () => patch(id, body), 422, 'validation_failed')
    assert.deepEqual(faultsOf(answer), [
      '/date_of_birth in_future',
      '/identifiers/1 duplicate',
      '/fields/nothing unknown_member',
      '/class_id unknown_class',
    ])
  })

  it('refuses a number that another student has, ignoring case, and takes its own in another case', async () => {
    const id = await student({ admission_number: 'Own-1' })
    await student({ admission_number: 'Other-1' })
    const take = () => patch(id, { name: 'New', admission_number: 'oTHER-1' })
    const answer = await assertRefused(id, take, 409, 'admission_number_taken')
    assert.deepEqual(faultsOf(answer), ['/admission_number taken'])
    assert.equal((await patch(id, { admission_number: 'OWN-1' })).body.data.admission_number, 'OWN-1')
    await patch(id, { admission_number: 'Own-2' })
    assert.equal((await patch(await student(), { admission_number: 'own-1' })).status, 200, 'it is free')
  })

  it('asks which version is meant, and refuses another one', async () => {
    const id = await student()
    const old = String((await read(id)).headers.etag)
    const send = () => school.send('PATCH', `/api/students/${id}`, { as: registrar, body: { name: 'X' } })
    const unsaid = await assertRefused(id, send, 428, 'precondition_required')
    assert.match(unsaid.body.detail, /If-Match/)
    assert.equal((await patch(id, { name: 'First' }, { ifMatch: old })).status, 200)
    for (const ifMatch of [old, '"x"', `W/${old}`, '1', '']) {
      await assertRefused(id, () => patch(id, { name: 'X' }, { ifMatch }), 412, 'precondition_failed')
    }
    const now = String((await read(id)).headers.etag)
    assert.equal((await patch(id, { name: 'X' }, { ifMatch: `"x", ${now}` })).status, 200)
  })

  it('says that another version is there before it looks at values', async () => {
    const id = await student()
    const body = { date_of_birth: '2099-01-01', class_id: 99, fields: { nothing: 1 } }
    await assertRefused(id, () => patch(id, body, { ifMatch: '"1"' }), 412, 'precondition_failed')
  })

  it('refuses a version whose class has another label by now', async () => {
    const id = await student({ class_id: 5 })
    const old = String((await read(id)).headers.etag)
    await write(school.db, byTest, (db) =>
      db
        .updateTable('classes')
        .set({ label: '5b', label_key: '5b', version: 2 })
        .where('id', '=', 5)
        .execute(),
    )
    await assertRefused(id, () => patch(id, { name: 'X' }, { ifMatch: old }), 412, 'precondition_failed')
    const now = await read(id)
    assert.notEqual(now.headers.etag, old)
    assert.equal(
      (await patch(id, { name: 'X' }, { ifMatch: String(now.headers.etag) })).body.data.class,
      '5b',
    )
  })

  it('moves nobody into an archived class; who is there stays and can be changed', async () => {
    const [inside, outside] = [await student({ class_id: 6 }), await student()]
    const archived_at = school.now().toISOString()
    await write(school.db, byTest, (db) =>
      db.updateTable('classes').set({ archived_at, version: 2 }).where('id', '=', 6).execute(),
    )
    const move = () => patch(outside, { class_id: 6 })
    const answer = await assertRefused(outside, move, 422, 'validation_failed')
    assert.deepEqual(faultsOf(answer), ['/class_id archived_class'])
    assert.equal((await patch(inside, { class_id: 6, name: 'Still here' })).status, 200)
    assert.equal((await patch(inside, { class_id: 1 })).body.data.class_id, 1)
  })

  it('lets searches find the new names and no longer the old ones', async () => {
    const id = await student({ name: 'Quirin Vogelsang', admission_number: 'QV-1' })
    assert.deepEqual([await found('vogelsang'), await found('spatz')], [[id], []])
    await patch(id, { preferred_name: 'Spatz' })
    assert.deepEqual([await found('vogelsang'), await found('spatz')], [[id], [id]])
    await patch(id, { name: 'Quirin Amsel', admission_number: 'QV-2' })
    assert.deepEqual([await found('vogelsang'), await found('amsel spatz')], [[], [id]])
    assert.deepEqual([await found('qv-1'), await found('qv-2')], [[], [id]])
    await patch(id, { preferred_name: null, class_id: 2 })
    assert.deepEqual([await found('spatz'), await found('amsel')], [[], [id]])
    const inClass = await school.get('/api/students?search=amsel&class_id=2', registrar)
    assert.deepEqual(inClass.body.data[0].class, 'Class 2')
  })

  it('leaves the search index in order after many changes', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => student()))
    for (let round = 0; round < 3; round++) {
      const named = (id: number) => ({ name: `Round${round} ${id}`, class_id: 1 + ((id + round) % 4) })
      const preferred = (id: number) => ({ preferred_name: id % 2 ? `Pet${round}` : null })
      await Promise.all(ids.map((id) => patch(id, { ...named(id), ...preferred(id) })))
    }
    assert.deepEqual(
      [await found('round0'), await found('round2')].map(({ length }) => length),
      [0, 20],
    )
    if (school.databaseUrl.startsWith('sqlite')) await checkSearchIndex(school.db)
  })

  it('answers 404 for a student that is not there', async () => {
    for (const id of [0, 999_999, 2 ** 53 - 1]) {
      const answer = await patch(id, { name: 'X' })
      assert.deepEqual([answer.status, answer.body.code], [404, 'student_not_found'])
    }
  })

  it('answers 403 to who may only view, or do all but update', async () => {
    const id = await student()
    const viewer = await school.person('viewer')
    const others = await personHolding(school, [
      ['students.view', 'students.create', 'students.sensitive'],
      'all',
    ])
    for (const as of [viewer, others]) {
      const answer = await assertRefused(id, () => patch(id, { name: 'X' }, { as }), 403, 'permission_denied')
      assert.match(answer.body.detail, /students\.update/)
    }
  })
})
