import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

let shared: School
before(async () => {
  shared = await openSchool()
})

/** An administrator of a new school, or of the shared one: for what looks at records of its own alone. */
async function openOffice(given?: School) {
  const school = given ?? (await openSchool())
  const admin = await school.person('administrator')
  const change = async (as: Person, path: string, body: object) => {
    const answer = await school.send('PATCH', path, { as, body, headers: { 'if-match': '*' } })
    assert.equal(answer.status, 200, answer.text)
  }
  const history = async (as: Person, path: string) => {
    const answer = await school.get(`${path}/history`, as)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const undo = (as: Person, changeSet: number) =>
    school.post(`/api/change-sets/${changeSet}/undo`, undefined, as)
  return { school, admin, change, history, undo }
}

const lastOf = async (school: School, as: Person, path: string): Promise<number> =>
  (await school.get(`${path}/history`, as)).body.data[0].change_set_id

describe('GET /api/students/{id}/history', () => {
  it('tells who changed which field, when, from what to what', async () => {
    const { school, admin, change, history } = await openOffice()
    const registrar = await school.person('registrar')
    const id = await school.student(admin, { name: 'Zoë Meier', admission_number: 'A-1', class_id: 3 })
    school.passSeconds(60)
    await change(registrar, `/api/students/${id}`, { name: 'Zoë Müller', notes: 'Allergic to nuts' })
    const [changed, created, ...others] = await history(admin, `/api/students/${id}`)
    assert.deepEqual(others, [])
    assert.equal(created.action, 'created')
    assert.deepEqual(created.by, { user_id: admin.id, name: 'Person 1' })
    assert.deepEqual(
      created.changes.map(({ field, to }: { field: string; to: unknown }) => [field, to]),
      [
        ['name', 'Zoë Meier'],
        ['admission_number', 'A-1'],
        ['class_id', 3],
      ],
    )
    assert.equal(changed.kind, 'edit')
    assert.equal(changed.by.user_id, registrar.id)
    assert.equal(changed.made_at, '2026-09-01T08:01:00.000Z')
    assert.deepEqual(changed.changes, [
      { field: 'name', from: 'Zoë Meier', to: 'Zoë Müller' },
      { field: 'notes', from: null, to: 'Allergic to nuts' },
    ])
  })

  it('names the fields that the caller may not see, without their values', async () => {
    const { school, admin, change } = await openOffice(shared)
    const id = await school.student(admin)
    await change(admin, `/api/students/${id}`, { notes: 'Allergic to nuts' })
    const viewer = await school.person('viewer')
    const answer = await school.get(`/api/students/${id}/history`, viewer)
    const [changed] = answer.body.data
    assert.deepEqual([changed.changes, changed.hidden], [[], ['notes']])
    assert.ok(!answer.text.includes('Allergic'))
  })

  it('ends for a teacher at the classes that the teacher may see', async () => {
    const { school, admin, change, history } = await openOffice(shared)
    const id = await school.student(admin, { name: 'Early Name', class_id: 1 })
    await change(admin, `/api/students/${id}`, { name: 'In Class One' })
    await change(admin, `/api/students/${id}`, { class_id: 2 })
    await change(admin, `/api/students/${id}`, { name: 'In Class Two' })
    const teacher = await personHolding(school, [['students.view'], [2]])
    const entries = await history(teacher, `/api/students/${id}`)
    assert.equal(entries.length, 2)
    assert.deepEqual(entries[0].changes, [{ field: 'name', from: 'In Class One', to: 'In Class Two' }])
    const other = await personHolding(school, [['students.view'], [1]])
    const refused = await school.get(`/api/students/${id}/history`, other)
    assert.deepEqual([refused.status, refused.body.code], [404, 'student_not_found'])
  })

  it('is read page by page', async () => {
    const { school, admin, change } = await openOffice(shared)
    const id = await school.student(admin)
    for (const name of ['B', 'C', 'D']) await change(admin, `/api/students/${id}`, { name })
    const seen: string[] = []
    for (let before: string | null = ''; before !== null; ) {
      const { body } = await school.get(`/api/students/${id}/history?per_page=3&before=${before}`, admin)
      seen.push(...body.data.map(({ changes }: { changes: { to: string }[] }) => changes[0]!.to))
      before = body.next
    }
    assert.deepEqual(seen.slice(0, 3), ['D', 'C', 'B'])
    assert.equal(seen.length, 4)
    const long = await school.get(`/api/students/${id}/history?per_page=101`, admin)
    assert.deepEqual([long.status, long.body.errors?.[0].pointer], [422, '/per_page'])
    const bad = await school.get(`/api/students/${id}/history?before=x`, admin)
    assert.deepEqual([bad.status, bad.body.errors[0].pointer], [422, '/before'])
  })
})

describe('GET /api/audit', () => {
  it('tells of every record, and filters by actor, record, action and time', async () => {
    const { school, admin, change } = await openOffice()
    const id = await school.student(admin)
    const clerk = await school.person('registrar')
    school.passSeconds(3600)
    await change(clerk, `/api/students/${id}`, { name: 'Changed' })
    await change(admin, '/api/classes/3', { label: 'Year 3' })
    const records = async (query: string) => {
      const { status, body, text } = await school.get(`/api/audit?${query}`, admin)
      assert.equal(status, 200, text)
      return body.data.map((entry: { record: string; action: string }) => `${entry.record} ${entry.action}`)
    }
    assert.deepEqual(await records(`actor=${clerk.id}`), ['student changed'])
    assert.deepEqual(await records('record=class'), ['class changed'])
    assert.deepEqual(await records(`record=student&record_id=${id}&action=created`), ['student created'])
    assert.deepEqual(await records('since=2026-09-01T09:00Z'), ['class changed', 'student changed'])
    assert.ok(!(await records('until=2026-09-01T09:00Z')).includes('class changed'))
    assert.deepEqual(await records('actor=99999'), [])
    const bad = await school.get('/api/audit?since=yesterday&actor=x&before=y', admin)
    assert.equal(bad.status, 422)
    const pointers = bad.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual(pointers, ['/actor', '/since', '/before'], 'all that is wrong')
    for (const never of ['0000-01-01', '2026-02-31', '2026-01-01T24:00Z']) {
      const refused = await school.get(`/api/audit?since=${never}`, admin)
      assert.deepEqual([refused.status, refused.body.errors?.[0].pointer], [422, '/since'], never)
    }
  })

  it('needs audit.view, but for what one changed oneself', async () => {
    const { school, admin, change } = await openOffice(shared)
    const id = await school.student(admin)
    const clerk = await school.person('registrar')
    await change(clerk, `/api/students/${id}`, { name: 'Changed' })
    const refused = await school.get('/api/audit', clerk)
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'])
    const own = await school.get('/api/audit?actor=me', clerk)
    assert.equal(own.body.data.length, 1)
    assert.equal((await school.get(`/api/audit?actor=${clerk.id}`, clerk)).status, 403)
  })
})

describe('POST /api/change-sets/{id}/undo', () => {
  it('takes back what nobody changed since, and lists what was changed since', async () => {
    const { school, admin, change, undo } = await openOffice()
    const path = `/api/students/${await school.student(admin, { name: 'Right Name' })}`
    await change(admin, path, { name: 'Wrong Name', preferred_name: 'Wrong' })
    const wrong = await lastOf(school, admin, path)
    await change(admin, path, { preferred_name: 'Later' })
    const { status, body, text } = await undo(admin, wrong)
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.data.undone.map(({ fields }: { fields: string[] }) => fields),
      [['name']],
    )
    assert.deepEqual(
      body.data.kept.map(({ fields }: { fields: string[] }) => fields),
      [['preferred_name']],
    )
    const { data } = (await school.get(path, admin)).body
    assert.deepEqual([data.name, data.preferred_name], ['Right Name', 'Later'])
    const [, , changed, created] = (await school.get(`${path}/history`, admin)).body.data
    assert.deepEqual([changed.undone, created.undone], ['some', undefined])
    const found = await school.get('/api/students?search=right', admin)
    assert.equal(found.body.pagination.total, 1)
    const again = await undo(admin, wrong)
    assert.deepEqual([again.status, again.body.code], [409, 'change_set_undone'])
  })

  it('can itself be undone, and then the change can be undone again', async () => {
    const { school, admin, change, undo } = await openOffice(shared)
    const path = `/api/students/${await school.student(admin, { name: 'One' })}`
    await change(admin, path, { name: 'Two' })
    const edit = await lastOf(school, admin, path)
    const nameNow = async () => (await school.get(path, admin)).body.data.name
    const first = await undo(admin, edit)
    assert.equal(await nameNow(), 'One')
    assert.equal((await undo(admin, first.body.data.change_set_id)).status, 200)
    assert.equal(await nameNow(), 'Two')
    assert.equal((await undo(admin, edit)).status, 200)
    assert.equal(await nameNow(), 'One')
  })

  it('removes a student whom nobody touched since, frees the number, and never uses the id again', async () => {
    const { school, admin, undo } = await openOffice()
    const id = await school.student(admin, { admission_number: 'N-1' })
    const created = await lastOf(school, admin, `/api/students/${id}`)
    const undone = await undo(admin, created)
    assert.equal(undone.status, 200, undone.text)
    assert.equal((await school.get(`/api/students/${id}`, admin)).status, 404)
    assert.equal((await school.get('/api/students', admin)).body.pagination.total, 0)
    const next = await school.student(admin, { admission_number: 'N-1' })
    assert.ok(next > id)
    const back = await undo(admin, undone.body.data.change_set_id)
    assert.deepEqual(back.body.data.kept[0].fields, ['admission_number'])
    assert.equal(back.body.data.change_set_id, null)
  })

  it('makes the student again under its id when the undo is undone', async () => {
    const { school, admin, undo } = await openOffice()
    const id = await school.student(admin, { name: 'Zoë Müller', admission_number: 'N-1', class_id: 4 })
    const before = (await school.get(`/api/students/${id}`, admin)).body.data
    const undone = await undo(admin, await lastOf(school, admin, `/api/students/${id}`))
    const back = await undo(admin, undone.body.data.change_set_id)
    assert.equal(back.status, 200, back.text)
    assert.deepEqual((await school.get(`/api/students/${id}`, admin)).body.data, before)
    assert.equal((await school.get('/api/students?search=muller', admin)).body.pagination.total, 1)
  })

  it('makes a student or a class again as a version that it never had: no tag from before fits', async () => {
    const { school, admin, change, undo } = await openOffice(shared)
    const id = await school.student(admin)
    const { body } = await school.post('/api/classes', { label: '5b' }, admin)
    for (const [path, edit] of [
      [`/api/students/${id}`, { name: 'Changed' }],
      [`/api/classes/${body.data.id}`, { label: '5c' }],
    ] as const) {
      const tags: unknown[] = []
      const note = async () => tags.push((await school.get(path, admin)).headers.etag)
      const created = await lastOf(school, admin, path)
      await note()
      await change(admin, path, edit)
      await note()
      await undo(admin, await lastOf(school, admin, path))
      await note()
      const { body } = await undo(admin, created)
      await undo(admin, body.data.change_set_id)
      await note()
      await change(admin, path, edit)
      await note()
      assert.equal(new Set(tags).size, 5, tags.join())
    }
  })

  it('keeps a student who was changed since', async () => {
    const { school, admin, change, undo } = await openOffice(shared)
    const id = await school.student(admin)
    const created = await lastOf(school, admin, `/api/students/${id}`)
    await change(admin, `/api/students/${id}`, { notes: 'Seen by the nurse' })
    const { body } = await undo(admin, created)
    assert.deepEqual([body.data.undone, body.data.kept[0].fields], [[], ['notes']])
    assert.equal((await school.get(`/api/students/${id}`, admin)).status, 200)
  })

  it('needs the permission of the change itself, by the class now', async () => {
    const { school, admin, change, undo } = await openOffice(shared)
    const id = await school.student(admin, { class_id: 1 })
    await change(admin, `/api/students/${id}`, { name: 'Changed' })
    const edit = await lastOf(school, admin, `/api/students/${id}`)
    const codes: Record<string, Person> = {
      '403 permission_denied': await school.person('viewer'),
      '404 change_set_not_found': await personHolding(school, [['students.view', 'students.update'], [2]]),
    }
    for (const [expected, person] of Object.entries(codes)) {
      const { status, body } = await undo(person, edit)
      assert.equal(`${status} ${body.code}`, expected)
    }
    assert.equal((await school.get(`/api/students/${id}`, admin)).body.data.name, 'Changed')
    const teacher = await personHolding(school, [['students.view', 'students.update'], [1]])
    assert.equal((await undo(teacher, edit)).status, 200)
  })

  it('is refused for grants, after thirty days, and where there is no such change set', async () => {
    const { school, admin, change, undo } = await openOffice()
    const person = await school.person('viewer')
    const grant = await lastOf(school, admin, `/api/users/${person.id}`)
    assert.equal((await undo(admin, grant)).body.code, 'change_set_not_undoable')
    await change(admin, '/api/classes/3', { label: 'Year 3' })
    const edit = await lastOf(school, admin, '/api/classes/3')
    school.passSeconds(31 * 24 * 3600)
    const { token } = (await school.login(admin.email)).body.data
    const late = await school.post(`/api/change-sets/${edit}/undo`, undefined, token)
    assert.deepEqual([late.status, late.body.code], [409, 'change_set_not_undoable'])
    const none = await school.post('/api/change-sets/999999/undo', undefined, token)
    assert.deepEqual([none.status, none.body.code], [404, 'change_set_not_found'])
  })

  it('takes back what was done to a class', async () => {
    const { school, admin, change, undo } = await openOffice(shared)
    await change(admin, '/api/classes/3', { label: 'Year 3', archived: true })
    const edit = await lastOf(school, admin, '/api/classes/3')
    assert.equal((await undo(admin, edit)).status, 200)
    const { data } = (await school.get('/api/classes/3', admin)).body
    assert.deepEqual([data.label, data.archived], ['Class 3', false])
    const made = await school.post('/api/classes', { label: 'By mistake' }, admin)
    const { id } = made.body.data
    const undone = await undo(admin, await lastOf(school, admin, `/api/classes/${id}`))
    assert.equal(undone.status, 200)
    assert.equal((await school.get(`/api/classes/${id}`, admin)).status, 404)
    assert.equal((await undo(admin, undone.body.data.change_set_id)).status, 200)
    assert.equal((await school.get(`/api/classes/${id}`, admin)).body.data.label, 'By mistake')
  })
})
