import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant } from '../../test/grants.ts'
import { type Answer, openSchool, type Person, type School } from '../../test/school.ts'

let school: School
let registrar: Person
before(async () => {
  school = await openSchool()
  registrar = await school.person('registrar')
})

const read = (id: number) => school.get(`/api/classes/${id}`, registrar)
const patch = (id: number | string, body: object, ifMatch: string | undefined = '*', as = registrar) =>
  school.send('PATCH', `/api/classes/${id}`, { as, body, headers: { 'if-match': ifMatch } })
const remove = (id: number, ifMatch = '*', as = registrar) =>
  school.send('DELETE', `/api/classes/${id}`, { as, headers: { 'if-match': ifMatch } })
const faultsOf = ({ body }: Answer) =>
  body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)

async function created(body: object): Promise<number> {
  const answer = await school.post('/api/classes', body, registrar)
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.headers.location, `/api/classes/${answer.body.data.id}`)
  return answer.body.data.id
}

/** The class is as it was: the same answer, and the same entity tag. */
async function unchanged(id: number, work: () => Promise<void>): Promise<void> {
  const { body, headers } = await read(id)
  await work()
  const after = await read(id)
  assert.deepEqual([after.body, after.headers.etag], [body, headers.etag])
}

describe('POST /api/classes', () => {
  it('creates a class after the others, in which students can be created at once', async () => {
    const id = await created({ label: '  Year 7 e\u0301 ' })
    const { data } = (await read(id)).body
    assert.deepEqual(data, {
      id,
      label: 'Year 7 é',
      position: 13,
      archived: false,
      students: 0,
      version: 1,
    })
    const student = await school.student(registrar, { class_id: id })
    assert.equal((await school.get(`/api/students/${student}`, registrar)).body.data.class, 'Year 7 é')
    assert.equal((await read(id)).body.data.students, 1)
  })

  it('creates a class where it is asked to stand, also before all others', async () => {
    const id = await created({ label: 'Nursery', position: 0 })
    const { body } = await school.get('/api/classes?per_page=2', registrar)
    assert.deepEqual(
      body.data.map((one: { id: number }) => one.id),
      [id, 1],
    )
  })

  it('creates one class for one Idempotency-Key', async () => {
    const before = await school.count('classes')
    const headers = { 'idempotency-key': '"once"' }
    const ask = (label: string) =>
      school.send('POST', '/api/classes', { as: registrar, body: { label }, headers })
    const answers = await Promise.all([ask('Only once'), ask('Only once'), ask('Only once')])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201],
    )
    assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
    const other = await ask('Another')
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
    assert.equal(await school.count('classes'), before + 1)
  })

  for (const label of ['Class 1', 'CLASS 1', ' class 1 ', 'cLASS\u00201']) {
    it(`refuses ${JSON.stringify(label)}, which is the label of another class, ignoring case`, async () => {
      const before = await school.count('classes')
      const answer = await school.post('/api/classes', { label }, registrar)
      assert.deepEqual([answer.status, answer.body.code], [409, 'class_label_taken'])
      assert.deepEqual(faultsOf(answer), ['/label taken'])
      assert.equal(await school.count('classes'), before)
    })
  }

  const invalid: [what: string, body: unknown, faults: string[]][] = [
    ['no label', {}, ['/label required']],
    ['an empty label', { label: '  ' }, ['/label too_short']],
    ['a label of 101 characters', { label: 'x'.repeat(101) }, ['/label too_long']],
    ['an invisible character', { label: 'a\u202eb' }, ['/label invalid_format']],
    ['a NUL', { label: 'a\u0000' }, ['/label invalid_format']],
    ['a number as label', { label: 7 }, ['/label wrong_type']],
    ['a negative position', { label: 'x', position: -1 }, ['/position out_of_range']],
    ['a position as text', { label: 'x', position: '1' }, ['/position wrong_type']],
    ['an unknown member', { label: 'x', archived: true }, ['/archived unknown_member']],
    ['a list', [], [' wrong_type']],
  ]
  for (const [what, body, faults] of invalid) {
    it(`refuses ${what}, and creates nothing`, async () => {
      const before = await school.count('classes')
      const answer = await school.post('/api/classes', body, registrar)
      assert.equal(answer.status, 422)
      assert.deepEqual(faultsOf(answer), faults)
      assert.equal(await school.count('classes'), before)
    })
  }

  it('is refused to who may only view', async () => {
    const before = await school.count('classes')
    const answer = await school.post('/api/classes', { label: 'Secret' }, await school.person('viewer'))
    assert.deepEqual([answer.status, answer.body.code], [403, 'permission_denied'])
    assert.equal(await school.count('classes'), before)
  })
})

describe('PATCH /api/classes/{id}', () => {
  it('renames a class: its students show it at once, and its version counts up', async () => {
    const student = await school.student(registrar, { class_id: 2 })
    const { headers } = await read(2)
    const answer = await patch(2, { label: 'Owls' }, String(headers.etag))
    assert.equal(answer.status, 200)
    const data = { id: 2, label: 'Owls', position: 2, archived: false, students: 1, version: 2 }
    assert.deepEqual(answer.body, { success: true, data })
    const again = await read(2)
    assert.deepEqual([again.body, again.headers.etag], [answer.body, answer.headers.etag])
    assert.notEqual(answer.headers.etag, headers.etag)
    assert.equal((await school.get(`/api/students/${student}`, registrar)).body.data.class, 'Owls')
    assert.deepEqual((await school.get('/api/classes?search=owls', registrar)).body.data, [data])
  })

  it('makes the entity tag of its students a new one', async () => {
    const student = await school.student(registrar, { class_id: 3 })
    const before = await school.get(`/api/students/${student}`, registrar)
    await patch(3, { label: 'Foxes' })
    const headers = { 'if-none-match': String(before.headers.etag) }
    const after = await school.send('GET', `/api/students/${student}`, { as: registrar, headers })
    assert.deepEqual([after.status, after.body?.data.class], [200, 'Foxes'])
  })

  it('takes the label in another case, and a merge patch by its own media type', async () => {
    const answer = await school.send('PATCH', '/api/classes/4', {
      as: registrar,
      payload: '{"label":"CLASS 4"}',
      headers: { 'if-match': '*', 'content-type': 'application/merge-patch+json' },
    })
    assert.deepEqual([answer.status, answer.body.data.label], [200, 'CLASS 4'])
  })

  it('moves a class among the others', async () => {
    await patch(12, { position: 4 })
    const { body } = await school.get('/api/classes?search=class&per_page=100', registrar)
    const order = body.data.map(({ id }: { id: number }) => id)
    assert.equal(order[order.indexOf(4) + 1], 12, 'those alike stand by id')
  })

  it('changes nothing, the version neither, by an empty patch and by one that says what is so already', async () => {
    await unchanged(5, async () => {
      const before = await read(5)
      for (const body of [{}, { label: 'Class 5' }, { label: ' Class 5', position: 5, archived: false }]) {
        const answer = await patch(5, body, String(before.headers.etag))
        assert.equal(answer.status, 200)
        assert.deepEqual([answer.body, answer.headers.etag], [before.body, before.headers.etag])
      }
    })
  })

  it('is refused without If-Match, and with that of another version', async () => {
    await unchanged(5, async () => {
      const without = await school.send('PATCH', '/api/classes/5', { as: registrar, body: { label: 'Lost' } })
      assert.deepEqual([without.status, without.body.code], [428, 'precondition_required'])
      const held = String((await read(5)).headers.etag)
      for (const tag of ['"0"', held.replace('1.', '2.'), `W/${held}`, held.slice(1, -1), '']) {
        const { status, body } = await patch(5, { label: 'Lost' }, tag)
        assert.deepEqual([status, body.code], [412, 'precondition_failed'], tag)
      }
    })
  })

  it('refuses the label of another class, ignoring case', async () => {
    await unchanged(5, async () => {
      const answer = await patch(5, { label: 'class 6', position: 1 })
      assert.deepEqual([answer.status, answer.body.code], [409, 'class_label_taken'])
      assert.deepEqual(faultsOf(answer), ['/label taken'])
    })
  })

  const invalid: [body: object, faults: string[]][] = [
    [{ label: null }, ['/label wrong_type']],
    [{ label: '' }, ['/label too_short']],
    [{ position: null }, ['/position wrong_type']],
    [{ position: 1.5 }, ['/position wrong_type']],
    [{ archived: 'true' }, ['/archived wrong_type']],
    [{ archived: null }, ['/archived wrong_type']],
    [{ students: 3 }, ['/students unknown_member']],
    [{ version: 9, id: 1 }, ['/version unknown_member', '/id unknown_member']],
  ]
  for (const [body, faults] of invalid) {
    it(`refuses ${JSON.stringify(body)}`, async () => {
      await unchanged(5, async () => {
        const answer = await patch(5, body)
        assert.equal(answer.status, 422)
        assert.deepEqual(faultsOf(answer), faults)
      })
    })
  }

  it('finds no class that is not there', async () => {
    for (const id of ['0', '999', '9'.repeat(30)]) {
      const { status, body } = await patch(id, { label: 'Nobody' })
      assert.deepEqual([status, body.code], [404, 'class_not_found'])
    }
  })
})

describe('an archived class', () => {
  it('takes no new students, and keeps those that it has', async () => {
    const student = await school.student(registrar, { class_id: 7 })
    const elsewhere = await school.student(registrar, { class_id: 8 })
    assert.equal((await patch(7, { archived: true })).body.data.archived, true)
    const before = await school.count('students')
    const body = { name: 'Late', admission_number: 'late-1', class_id: 7 }
    const creation = await school.post('/api/students', body, registrar)
    const move = await school.send('PATCH', `/api/students/${elsewhere}`, {
      as: registrar,
      body: { class_id: 7 },
      headers: { 'if-match': '*' },
    })
    for (const answer of [creation, move]) {
      assert.equal(answer.status, 422)
      assert.deepEqual(faultsOf(answer), ['/class_id archived_class'])
      assert.match(answer.body.detail, /GET \/api\/classes\?archived=false/)
    }
    assert.equal(await school.count('students'), before)
    assert.equal((await school.get(`/api/students/${student}`, registrar)).body.data.class, 'Class 7')
    assert.equal((await read(7)).body.data.students, 1)
  })

  it('lets the students that it has be corrected, and moved elsewhere', async () => {
    const student = await school.student(registrar, { class_id: 9 })
    await patch(9, { archived: true })
    const change = (body: object) =>
      school.send('PATCH', `/api/students/${student}`, {
        as: registrar,
        body,
        headers: { 'if-match': '*' },
      })
    assert.equal((await change({ name: 'Corrected', class_id: 9 })).status, 200)
    assert.equal((await change({ class_id: 10 })).status, 200)
    assert.equal((await read(9)).body.data.students, 0)
  })

  it('is told apart from a class that is not there, before a taken number is told', async () => {
    await school.student(registrar, { admission_number: 'taken-1', class_id: 10 })
    await patch(10, { archived: true })
    const create = (class_id: number) =>
      school.post('/api/students', { name: 'X', admission_number: 'TAKEN-1', class_id }, registrar)
    assert.deepEqual(faultsOf(await create(10)), ['/class_id archived_class'])
    assert.deepEqual(faultsOf(await create(999)), ['/class_id unknown_class'])
  })

  it('takes students again when it is restored', async () => {
    assert.equal((await patch(10, { archived: false })).body.data.archived, false)
    await school.student(registrar, { class_id: 10 })
  })
})

describe('DELETE /api/classes/{id}', () => {
  it('removes a class that never had a student, and its label is free again', async () => {
    const id = await created({ label: 'Mistake' })
    const { status, body } = await remove(id)
    assert.deepEqual([status, body], [200, { success: true, message: 'The class is deleted' }])
    assert.equal((await read(id)).status, 404)
    assert.equal((await remove(id)).status, 404)
    assert.ok((await created({ label: 'mistake' })) > id, 'ids are never used again')
  })

  it('refuses a class that has a student, and one that had one', async () => {
    const had = await created({ label: 'Had one' })
    const has = await created({ label: 'Has one' })
    const student = await school.student(registrar, { class_id: had })
    const headers = { 'if-match': '*' }
    await school.send('PATCH', `/api/students/${student}`, {
      as: registrar,
      body: { class_id: has },
      headers,
    })
    for (const id of [had, has]) {
      await unchanged(id, async () => {
        const answer = await remove(id)
        assert.deepEqual([answer.status, answer.body.code], [409, 'class_in_use'])
        assert.match(answer.body.detail, /archived true/)
      })
    }
    assert.equal((await read(had)).body.data.students, 0)
  })

  it('is refused without If-Match, and with that of another version', async () => {
    const id = await created({ label: 'Stays' })
    await unchanged(id, async () => {
      const without = await school.send('DELETE', `/api/classes/${id}`, { as: registrar })
      assert.deepEqual([without.status, without.body.code], [428, 'precondition_required'])
      const stale = await remove(id, '"0"')
      assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
    })
    assert.equal((await remove(id, String((await read(id)).headers.etag))).status, 200)
  })

  it('takes what was granted for the class alone with it, and nothing else', async () => {
    const id = await created({ label: 'Granted' })
    const teacher = await school.person()
    await grant(school, teacher, [['classes.view'], [id, 6]])
    const version = () =>
      school.db.selectFrom('users').select('version').where('id', '=', teacher.id).executeTakeFirstOrThrow()
    const before = await version()
    assert.equal((await school.get('/api/classes', teacher)).body.pagination.total, 2)
    assert.equal((await remove(id)).status, 200)
    const { body } = await school.get('/api/classes', teacher)
    assert.deepEqual(
      body.data.map((one: { id: number }) => one.id),
      [6],
    )
    assert.equal((await version()).version, before.version + 1, "the account's record is another one")
  })

  it('ends a grant that was for the class alone: what is shown of the account can be sent back', async () => {
    const admin = await school.person('administrator')
    const id = await created({ label: 'Granted alone' })
    const teacher = await school.person('viewer')
    await grant(school, teacher, [['students.create'], [id]], [['classes.view'], [id, 6]])
    const account = () => school.get(`/api/users/${teacher.id}`, admin)
    const before = await account()
    const [viewer, alone, among] = before.body.data.roles
    assert.deepEqual([viewer.class_ids, alone.class_ids, among.class_ids], [null, [id], [6, id]])

    assert.equal((await remove(id)).status, 200)
    const { body, headers } = await account()
    assert.deepEqual(body.data.roles, [viewer, { ...among, class_ids: [6] }])
    assert.equal(body.data.version, before.body.data.version + 1)
    const student = { name: 'A', admission_number: 'late-2', class_id: 6 }
    assert.equal((await school.post('/api/students', student, teacher)).body.code, 'permission_denied')

    const wanted = (roles: typeof body.data.roles) =>
      roles.map(({ role_id, class_ids }: typeof viewer) => ({ role_id, class_ids }))
    const send = ({ data }: typeof body, tag: unknown) =>
      school.send('PUT', `/api/users/${teacher.id}/roles`, {
        as: admin,
        body: { roles: wanted(data.roles) },
        headers: { 'if-match': String(tag) },
      })
    assert.equal((await send(body, before.headers.etag)).status, 412)
    assert.deepEqual((await send(body, headers.etag)).body, body)
  })

  it('leaves the grants of a class that stays', async () => {
    const id = await created({ label: 'Granted and used' })
    await school.student(registrar, { class_id: id })
    const teacher = await school.person()
    await grant(school, teacher, [['classes.view'], [id]])
    assert.equal((await remove(id)).status, 409)
    assert.equal((await school.get(`/api/classes/${id}`, teacher)).status, 200)
  })
})
