import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, personHolding, revokeAll } from '../../test/grants.ts'
import { noPlainDetails } from '../../test/no-details.ts'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'

const sensitive = {
  date_of_birth: '2014-03-09',
  gender: 'female',
  email: 'zoe@school.example',
  address: 'Lindenweg 4\n12345 Berlin',
  guardians: [
    {
      name: 'Jörg Müller',
      relation: 'father',
      phone: null,
      email: 'j@family.example',
      address: 'Am Ring 1',
      note: 'Works at night',
    },
  ],
  notes: 'Allergic to nuts.',
}
const members = Object.keys(sensitive)

/** The answer of one who may not see: the refusal names the permission, and nothing of the student. */
function assertDenied(answer: Answer, permission: string): void {
  assert.deepEqual([answer.status, answer.body.code], [403, 'permission_denied'], answer.text)
  assert.match(String(answer.headers['www-authenticate']), new RegExp(`scope="${permission}"`))
}

/** An answer without what differs from request to request. */
const told = ({ status, body }: Answer) => ({ status, body: { ...body, request_id: '' } })

describe('what is shown of a student', () => {
  let school: School
  let registrar: Person
  let id: number
  let elsewhere: number
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    const zoe = { name: 'Zoë Müller', preferred_name: 'Zozo', ...sensitive }
    const create = (given: object) => school.post('/api/students', { ...zoe, ...given }, registrar)
    id = (await create({ admission_number: 'Z-3', class_id: 3 })).body.data.id
    elsewhere = (await create({ admission_number: 'Z-4', class_id: 4 })).body.data.id
  })

  const read = (of: number, as: Person, headers = {}) =>
    school.send('GET', `/api/students/${of}`, { as, headers })
  const patch = (of: number, body: object, as: Person, ifMatch = '*') =>
    school.send('PATCH', `/api/students/${of}`, { as, body, headers: { 'if-match': ifMatch } })
  const row = (of: number) =>
    school.db.selectFrom('students').selectAll().where('id', '=', of).executeTakeFirstOrThrow()

  it('is everything with students.sensitive, and without it nothing sensitive, not even that there is any', async () => {
    const all = (await read(id, registrar)).body.data
    for (const [name, value] of Object.entries(sensitive)) assert.deepEqual(all[name], value)
    const viewer = await school.person('viewer')
    const plain = await read(id, viewer)
    const listed = ['id', 'name', 'admission_number', 'class_id', 'class']
    assert.deepEqual(Object.keys(plain.body.data), [...listed, ...Object.keys(noPlainDetails)])
    assert.doesNotMatch(plain.text, /2014|female|zoe@|Linden|family\.|Ring|night|nuts/)
    const list = await school.get('/api/students', registrar)
    assert.deepEqual(Object.keys(list.body.data[0]), listed, 'and a list never shows it')
  })

  it('is in every list, to the letter, what the record shows of it', async () => {
    const letters = '"\\\\/<>&%\'`{}[]:, é李👩‍🎓ﷺ𠮷'
    const student = {
      name: `Ooq ${letters}`,
      admission_number: `O"${letters.replace(/\u200d/g, '')}`,
      class_id: 9,
    }
    const of = await school.student(registrar, student)
    const record = { id: of, ...student, class: 'Class 9' }
    const shown = (await read(of, await school.person('viewer'))).body.data
    assert.deepEqual(shown, { ...record, ...noPlainDetails })
    const [all, ofClass] = [registrar, await personHolding(school, [['students.view'], [9, 11]])]
    for (const query of [
      '',
      'search=ooq',
      'search=ooq&sort=-name',
      'class_id=9',
      'class_id=9&sort=created_at',
    ])
      for (const as of [all, ofClass]) {
        const { body, headers, text } = await school.get(`/api/students?${query}`, as)
        assert.deepEqual(body.data.at(query.includes('-name') ? 0 : -1), record, query)
        assert.equal(headers['content-length'], String(Buffer.byteLength(text)))
        assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      }
  })

  it('is sensitive only in the classes for which that is granted', async () => {
    const teacher = await personHolding(school, [['students.view'], 'all'], [['students.sensitive'], [3, 7]])
    assert.equal((await read(id, teacher)).body.data.notes, sensitive.notes)
    for (const name of members) assert.ok(!(name in (await read(elsewhere, teacher)).body.data), name)
  })

  it('is nothing of a class out of scope: exactly as if there were no such student', async () => {
    const teacher = await personHolding(school, [
      ['students.view', 'students.sensitive', 'students.update'],
      [3],
    ])
    assert.equal((await read(id, teacher)).status, 200)
    const absent = await read(999_999, teacher)
    assert.deepEqual([absent.status, absent.body.code], [404, 'student_not_found'])
    assert.deepEqual(told(await read(elsewhere, teacher)), told(absent))
    const tag = String((await read(elsewhere, registrar)).headers.etag)
    const unmodified = await read(elsewhere, teacher, { 'if-none-match': tag })
    assert.deepEqual(told(unmodified), told(absent), 'and no 304')
    const before = await row(elsewhere)
    for (const ifMatch of ['*', tag, '"x"'])
      assert.deepEqual(told(await patch(elsewhere, { name: 'X' }, teacher, ifMatch)), told(absent))
    assert.deepEqual(await row(elsewhere), before)
  })

  it('is told apart from what may be changed: 403 where it is seen, 404 where it is not', async () => {
    const teacher = await personHolding(school, [['students.view'], [3, 4]], [['students.update'], [3]])
    assert.equal((await patch(id, {}, teacher)).status, 200)
    assertDenied(await patch(elsewhere, { name: 'X' }, teacher), 'students.update')
    const hidden = await school.student(registrar, { class_id: 5 })
    assert.equal((await patch(hidden, { name: 'X' }, teacher)).status, 404)
  })

  it('can be changed by those who may update but not view, and the answer shows them the id alone', async () => {
    for (const held of [['students.update'], ['students.update', 'students.sensitive']] as const) {
      const clerk = await personHolding(school, [held, [3]], [['students.view'], [5]])
      const { body, headers } = await patch(id, {}, clerk)
      assert.deepEqual(body.data, { id })
      const named = await patch(id, { preferred_name: 'Zoz' }, clerk, String(headers.etag))
      assert.deepEqual([named.status, named.body.data], [200, { id }])
      assert.equal((await patch(id, { preferred_name: 'X' }, clerk, String(headers.etag))).status, 412)
      assert.deepEqual([(await row(id)).preferred_name, (await row(id)).notes], ['Zoz', sensitive.notes])
      assert.equal((await patch(id, { preferred_name: 'Zozo' }, clerk)).status, 200)
    }
  })

  it('is shown by the answer to a move as far as it may be viewed in the new class', async () => {
    const mover = await school.student(registrar, { class_id: 3 })
    const teacher = await personHolding(school, [['students.update'], 'all'], [['students.view'], [3, 7]])
    assert.equal((await patch(mover, { class_id: 7 }, teacher)).body.data.class, 'Class 7')
    assert.deepEqual((await patch(mover, { class_id: 4 }, teacher)).body.data, { id: mover })
  })

  it('is not moved to where the caller would see more of it, whether or not there is anything to see', async () => {
    const plain = await school.student(registrar, { class_id: 4 })
    const sensitively = await personHolding(
      school,
      [['students.view', 'students.update'], 'all'],
      [['students.sensitive'], [3, 7]],
    )
    for (const student of [elsewhere, plain]) {
      const before = await row(student)
      for (const body of [{ class_id: 3 }, { class_id: 3, name: 'X' }, { class_id: 3, notes: null }])
        assertDenied(await patch(student, body, sensitively), 'students.sensitive')
      assert.deepEqual(await row(student), before)
    }
    const viewing = await personHolding(school, [['students.update'], 'all'], [['students.view'], [5]])
    assertDenied(await patch(plain, { class_id: 5 }, viewing), 'students.view')
    assert.equal((await patch(plain, { class_id: 6 }, viewing)).status, 200)
    assert.equal((await patch(plain, { class_id: 8 }, sensitively)).status, 200, 'as little')
    const known = await school.student(registrar, { class_id: 3 })
    assert.equal((await patch(known, { class_id: 7 }, sensitively)).status, 200, 'as much')
  })

  it('has nothing sensitive in the answer to a move to where that is not seen, and the tag of what is', async () => {
    const teacher = await personHolding(
      school,
      [['students.view', 'students.update'], 'all'],
      [['students.sensitive'], [3]],
    )
    const mover = await school.student(registrar, { class_id: 3 })
    assert.equal((await patch(mover, { notes: 'Kept' }, registrar)).status, 200)
    const moved = await patch(mover, { class_id: 9 }, teacher)
    assert.deepEqual([moved.status, moved.body.data.class_id], [200, 9])
    for (const member of members) assert.ok(!(member in moved.body.data), member)
    const after = await read(mover, teacher)
    assert.deepEqual(moved.body.data, after.body.data)
    assert.equal(moved.headers.etag, after.headers.etag)
    assert.equal((await row(mover)).notes, 'Kept')
  })

  it('is set only by who may see it: with null too', async () => {
    const clerk = await personHolding(school, [
      ['students.view', 'students.update', 'students.create'],
      'all',
    ])
    const teacher = await personHolding(
      school,
      [['students.view', 'students.update', 'students.create'], 'all'],
      [['students.sensitive'], [3]],
    )
    const before = [await row(id), await row(elsewhere), await school.count('students')]
    for (const [name, value] of Object.entries(sensitive)) {
      for (const given of [value, null]) {
        const body = { name: 'X', admission_number: `${name}-s`, class_id: 4, [name]: given }
        for (const as of [clerk, teacher]) {
          assertDenied(await patch(elsewhere, { name: 'X', [name]: given }, as), 'students.sensitive')
          assertDenied(await school.post('/api/students', body, as), 'students.sensitive')
        }
        assertDenied(await patch(id, { [name]: given }, clerk), 'students.sensitive')
        assertDenied(await patch(id, { class_id: 4, [name]: given }, teacher), 'students.sensitive')
      }
    }
    assert.deepEqual([await row(id), await row(elsewhere), await school.count('students')], before)
    assert.equal((await patch(id, { gender: 'f' }, teacher)).body.data.gender, 'f')
    const made = { name: 'A', admission_number: 'in-3', class_id: 3, notes: 'New' }
    assert.equal((await school.post('/api/students', made, teacher)).status, 201)
    assert.equal((await patch(id, { gender: sensitive.gender }, teacher)).status, 200)
  })

  it('moves only between classes in which the caller may update; others are as good as not there', async () => {
    const teacher = await personHolding(school, [['students.view'], 'all'], [['students.update'], [3, 7]])
    const mover = await school.student(registrar, { class_id: 3 })
    const absent = await patch(mover, { class_id: 99 }, teacher)
    assert.deepEqual(absent.body.errors[0].code, 'unknown_class')
    assert.deepEqual(told(await patch(mover, { class_id: 4 }, teacher)), told(absent))
    assert.equal((await row(mover)).class_id, 3)
    assert.equal((await patch(mover, { class_id: 7 }, teacher)).body.data.class, 'Class 7')
  })

  it('is created only in the classes of students.create; others are as good as not there', async () => {
    const teacher = await personHolding(school, [['students.view'], 'all'], [['students.create'], [3]])
    const create = (class_id: number, query = '') =>
      school.post(
        `/api/students${query}`,
        { name: 'N', admission_number: `n-${class_id}`, class_id },
        teacher,
      )
    const before = await school.count('students')
    for (const query of ['', '?duplicates=refuse']) {
      const absent = await create(99, query)
      assert.deepEqual(absent.body.errors[0].code, 'unknown_class')
      assert.deepEqual(told(await create(4, query)), told(absent))
    }
    assert.equal(await school.count('students'), before)
    assert.equal((await create(3)).status, 201)
  })

  it('changes with the roles of the caller, from the next request on', async () => {
    const teacher = await personHolding(school, [['students.view'], [3]])
    assert.ok(!('notes' in (await read(id, teacher)).body.data))
    await grant(school, teacher, [
      ['students.sensitive', 'students.update'],
      [3, 4],
    ])
    assert.ok('notes' in (await read(id, teacher)).body.data)
    assert.equal((await read(elsewhere, teacher)).status, 404, 'sensitive is not view')
    await revokeAll(school, teacher)
    assertDenied(await read(id, teacher), 'students.view')
    assertDenied(await patch(id, { name: 'X' }, teacher), 'students.update')
  })
})

describe('the ETag of a student', () => {
  let school: School
  let registrar: Person
  let viewer: Person
  let id: number
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    viewer = await school.person('viewer')
    id = await school.student(registrar, { class_id: 3 })
  })

  const read = (as: Person, headers = {}, method = 'GET') =>
    school.send(method, `/api/students/${id}`, { as, headers })
  const tagFor = async (as: Person) => String((await read(as)).headers.etag)

  it('is strong, the same for all who see as much, and another for those who see more', async () => {
    assert.match(await tagFor(viewer), /^"[^"]+"$/)
    assert.equal(await tagFor(viewer), await tagFor(await school.person('viewer')))
    assert.equal(await tagFor(registrar), await tagFor(await school.person('administrator')))
    assert.notEqual(await tagFor(viewer), await tagFor(registrar))
    assert.equal((await read(viewer, {}, 'HEAD')).headers.etag, await tagFor(viewer))
  })

  it('spares an answer that the client has: 304 without a body, for GET and HEAD', async () => {
    for (const as of [viewer, registrar]) {
      const tag = await tagFor(as)
      for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await read(as, { 'if-none-match': header }, method)
          assert.deepEqual([answer.status, answer.text, answer.headers.etag], [304, '', tag])
          assert.equal(answer.headers['content-type'], undefined)
          assert.equal(answer.headers['content-length'], undefined)
        }
      }
    }
    assert.equal((await read(viewer, { 'if-none-match': await tagFor(registrar) })).status, 200)
    assert.equal((await read(viewer, { 'if-none-match': '"x"' })).status, 200)
  })

  it('is of no use to who may not read', async () => {
    const tag = await tagFor(viewer)
    const stranger = await school.person()
    assert.equal((await read(stranger, { 'if-none-match': tag })).status, 403)
    const loggedOut = await school.person('viewer')
    await school.post('/api/auth/logout', undefined, loggedOut)
    const dead = await read(loggedOut, { 'if-none-match': tag })
    assert.deepEqual([dead.status, dead.headers.etag], [401, undefined])
  })

  it('changes when the student does, and when its class is renamed', async () => {
    const seen = [await tagFor(viewer)]
    const headers = { 'if-match': seen[0]! }
    const stale = { as: registrar, body: { notes: 'x' }, headers }
    assert.equal((await school.send('PATCH', `/api/students/${id}`, stale)).status, 412, "another view's tag")
    const change = { ...stale, headers: { 'if-match': await tagFor(registrar) } }
    assert.equal((await school.send('PATCH', `/api/students/${id}`, change)).status, 200)
    seen.push(await tagFor(viewer))
    await write(school.db, byTest, (db) =>
      db
        .updateTable('classes')
        .set({ label: 'Owls', label_key: 'owls', version: 2 })
        .where('id', '=', 3)
        .execute(),
    )
    seen.push(await tagFor(viewer))
    assert.equal(new Set(seen).size, 3)
    const answer = await read(viewer, { 'if-none-match': seen[1]! })
    assert.deepEqual([answer.status, answer.body.data.class], [200, 'Owls'])
  })
})
