import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, personHolding } from '../../test/grants.ts'
import { type Answer, openSchool, type Person, type School } from '../../test/school.ts'

const anyVersion = { 'if-match': '*' }

/** Whether an answer is this problem, and which fields it names. */
function isProblem(answer: Answer, status: number, code: string, errors?: [pointer: string, code: string][]) {
  assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text)
  const told = answer.body.errors?.map((error: { pointer: string; code: string }) => [
    error.pointer,
    error.code,
  ])
  assert.deepEqual(told, errors)
}

describe('the fields of a school', () => {
  let school: School
  let admin: Person
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
  })

  const post = (body: object) => school.post('/api/fields', body, admin)
  const patch = (id: number, body: object, headers = anyVersion) =>
    school.send('PATCH', `/api/fields/${id}`, { as: admin, body, headers })
  const remove = (id: number, headers = anyVersion) =>
    school.send('DELETE', `/api/fields/${id}`, { as: admin, headers })
  const make = async (body: object): Promise<number> => {
    const answer = await post(body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data.id
  }

  describe('POST /api/fields', () => {
    it('makes a field, whose key is made of its label, after the others', async () => {
      const made = await post({ label: ' House ', kind: 'one_of', options: [' Oak', 'Elm'] })
      assert.equal(made.status, 201)
      const { id } = made.body.data
      assert.equal(made.headers.location, `/api/fields/${id}`)
      const read = await school.get(`/api/fields/${id}`, admin)
      assert.deepEqual(read.body.data, {
        id,
        key: 'house',
        label: 'House',
        kind: 'one_of',
        options: ['Oak', 'Elm'],
        sensitive: false,
        position: 1,
        archived: false,
        version: 1,
      })
      const next = await make({ label: 'Größe (cm)', kind: 'number', sensitive: true })
      const { key, options, sensitive, position } = (await school.get(`/api/fields/${next}`, admin)).body.data
      assert.deepEqual([key, options, sensitive, position], ['grosse_cm', null, true, 2])
    })

    it('makes a key where the label has no Latin letter, and another where it is taken', async () => {
      const ids = [
        await make({ label: '校车', kind: 'text' }),
        await make({ label: '1. Bus', kind: 'text' }),
        await make({ label: 'Bus!', kind: 'text' }),
        await make({ label: `Lang ${'x'.repeat(90)}`, kind: 'text' }),
      ]
      const read = await Promise.all(ids.map((id) => school.get(`/api/fields/${id}`, admin)))
      const keys = read.map(({ body }) => body.data.key)
      assert.deepEqual(keys.slice(0, 3), ['field', 'bus', 'bus_2'])
      assert.match(keys[3], /^lang_x{32}$/)
      for (const id of ids) assert.equal((await remove(id)).status, 200)
    })

    it('refuses a label or a key that is taken', async () => {
      isProblem(await post({ label: 'HOUSE', kind: 'text' }), 409, 'field_label_taken', [['/label', 'taken']])
      const other = { label: 'Home', key: 'house', kind: 'text' }
      isProblem(await post(other), 409, 'field_key_taken', [['/key', 'taken']])
    })

    it('refuses what is no field, naming each fault', async () => {
      const bad = { label: ' ', key: 'Ä', kind: 'colour', position: -1, archived: true }
      isProblem(await post(bad), 422, 'validation_failed', [
        ['/archived', 'unknown_member'],
        ['/label', 'too_short'],
        ['/kind', 'not_allowed'],
        ['/key', 'invalid_format'],
        ['/position', 'out_of_range'],
      ])
    })

    it('takes options for the kinds that have some, each once', async () => {
      const cases: [given: object, ...at: [string, string][]][] = [
        [{ kind: 'one_of' }, ['/options', 'required']],
        [{ kind: 'several_of', options: [] }, ['/options', 'too_few']],
        [{ kind: 'text', options: ['a'] }, ['/options', 'invalid']],
        [{ kind: 'one_of', options: ['a', 'b', ' A '] }, ['/options/2', 'duplicate']],
        [
          { kind: 'one_of', options: ['a', 'A', 'b', 'B'] },
          ['/options/1', 'duplicate'],
          ['/options/3', 'duplicate'],
        ],
        [{ kind: 'one_of', options: ['a', ' '] }, ['/options/1', 'too_short']],
        [
          { kind: 'one_of', options: Array.from({ length: 101 }, (_, i) => `${i}`) },
          ['/options', 'too_many'],
        ],
      ]
      for (const [given, ...at] of cases)
        isProblem(await post({ label: 'Club', ...given }), 422, 'validation_failed', at)
    })

    it('makes one field for one Idempotency-Key', async () => {
      const send = () =>
        school.send('POST', '/api/fields', {
          as: admin,
          body: { label: 'Once', kind: 'yes_no' },
          headers: { 'idempotency-key': 'once' },
        })
      const [first, second] = [await send(), await send()]
      assert.deepEqual([first.status, second.status], [201, 201])
      assert.equal(second.body.data.id, first.body.data.id)
      assert.equal((await remove(first.body.data.id)).status, 200)
    })
  })

  describe('GET /api/fields', () => {
    it('lists the fields by position, then id, to everyone with students.view', async () => {
      const late = await make({ label: 'Late', kind: 'text' })
      const early = await make({ label: 'Early', kind: 'text', position: 0 })
      const teacher = await personHolding(school, [['students.view'], [3]])
      const { body } = await school.get('/api/fields', teacher)
      assert.deepEqual(
        body.data.map(({ label }: { label: string }) => label),
        ['Early', 'House', 'Größe (cm)', 'Late'],
      )
      assert.equal((await school.get(`/api/fields/${late}`, teacher)).status, 200)
      isProblem(await school.get('/api/fields', await school.person()), 403, 'permission_denied')
      for (const id of [late, early]) assert.equal((await remove(id)).status, 200)
    })

    it('answers 404 for a field that is not there', async () => {
      isProblem(await school.get('/api/fields/999', admin), 404, 'field_not_found')
      isProblem(await patch(999, { label: 'x' }), 404, 'field_not_found')
      isProblem(await remove(999), 404, 'field_not_found')
    })
  })

  describe('PATCH /api/fields/{id}', () => {
    it('renames, orders and archives; an unchanged field keeps its version', async () => {
      const id = await make({ label: 'Bus', kind: 'text' })
      const tag = String((await school.get(`/api/fields/${id}`, admin)).headers.etag)
      const changed = await patch(id, { label: 'Bus line', position: 7, archived: true }, { 'if-match': tag })
      assert.equal(changed.status, 200, changed.text)
      const { key, label, position, archived, version } = changed.body.data
      assert.deepEqual([key, label, position, archived, version], ['bus', 'Bus line', 7, true, 2])
      assert.notEqual(changed.headers.etag, tag)
      isProblem(await patch(id, { position: 8 }, { 'if-match': tag }), 412, 'precondition_failed')
      const same = await patch(id, { archived: true, label: 'Bus line' })
      assert.deepEqual([same.body.data.version, same.headers.etag], [2, changed.headers.etag])
      assert.equal((await remove(id)).status, 200)
    })

    it('changes neither key nor kind, and gives no other field’s label', async () => {
      const id = await make({ label: 'Sport', kind: 'text' })
      isProblem(await patch(id, { key: 'x', kind: 'number' }), 422, 'validation_failed', [
        ['/key', 'unknown_member'],
        ['/kind', 'unknown_member'],
      ])
      isProblem(await patch(id, { label: 'house' }), 409, 'field_label_taken', [['/label', 'taken']])
      isProblem(await patch(id, { options: ['a'] }), 422, 'validation_failed', [['/options', 'invalid']])
      assert.equal((await remove(id)).status, 200)
    })

    it('adds options, orders them, and removes those that no student has', async () => {
      const id = await make({ label: 'Clubs', kind: 'several_of', options: ['Chess', 'Choir', 'Drama'] })
      const registrar = await school.person('registrar')
      const student = await school.student(registrar)
      const give = (clubs: unknown) =>
        school.send('PATCH', `/api/students/${student}`, {
          as: registrar,
          body: { fields: { clubs } },
          headers: anyVersion,
        })
      assert.equal((await give(['Choir'])).status, 200)
      const options = ['Rugby', 'Choir', 'Chess']
      assert.deepEqual((await patch(id, { options })).body.data.options, options)
      const refused = await patch(id, { options: ['Rugby'] })
      isProblem(refused, 409, 'option_in_use', [['/options', 'option_in_use']])
      assert.deepEqual(refused.body.errors[0].params, { accepted: ['Choir'] })
      assert.equal((await give(null)).status, 200)
      assert.equal((await patch(id, { options: ['Rugby'] })).status, 200)
      assert.equal((await remove(id)).status, 200)
    })
  })

  describe('DELETE /api/fields/{id}', () => {
    it('deletes a field of any kind only while no student has a value, archived or not', async () => {
      const registrar = await school.person('registrar')
      const values: Record<string, unknown> = {
        text: 'x',
        text_in_lines: 'x\ny',
        number: 0,
        date: '2026-09-01',
        one_of: 'a',
        several_of: ['a'],
        yes_no: false,
      }
      for (const [kind, value] of Object.entries(values)) {
        const options = /_of$/.test(kind) ? { options: ['a', 'b'] } : {}
        const id = await make({ label: `Of ${kind}`, key: kind, kind, ...options, sensitive: true })
        const student = await school.student(registrar)
        const give = (given: unknown) =>
          school.send('PATCH', `/api/students/${student}`, {
            as: registrar,
            body: { fields: { [kind]: given } },
            headers: anyVersion,
          })
        assert.equal((await give(value)).status, 200, kind)
        isProblem(await remove(id), 409, 'field_in_use')
        isProblem(await patch(id, { sensitive: false }), 409, 'field_in_use')
        assert.equal((await patch(id, { archived: true })).status, 200)
        isProblem(await remove(id), 409, 'field_in_use')
        assert.equal((await patch(id, { archived: false })).status, 200)
        assert.equal((await give(null)).status, 200, kind)
        assert.equal((await patch(id, { sensitive: false })).status, 200)
        assert.equal((await remove(id)).status, 200)
        isProblem(await school.get(`/api/fields/${id}`, admin), 404, 'field_not_found')
      }
    })
  })

  describe('what is written', () => {
    it('takes fields.manage, which other permissions do not stand for', async () => {
      const registrar = await school.person('registrar')
      isProblem(
        await school.post('/api/fields', { label: 'No', kind: 'text' }, registrar),
        403,
        'permission_denied',
      )
      const manager = await school.person()
      await grant(school, manager, [['fields.manage'], 'all'])
      const made = await school.post('/api/fields', { label: 'Mine', kind: 'text' }, manager)
      assert.equal(made.status, 201)
      const { id } = made.body.data
      const blind = await school.send('PATCH', `/api/fields/${id}`, {
        as: manager,
        body: { label: 'Still mine' },
        headers: anyVersion,
      })
      assert.deepEqual(blind.body.data, { id }, 'without students.view, the id alone')
      assert.equal((await remove(id)).status, 200)
    })

    it('is in the log: what a field had, what changed, what it has', async () => {
      const id = await make({ label: 'Logged', kind: 'one_of', options: ['a'], position: 4 })
      await patch(id, { label: 'Logged twice', position: 4, archived: true })
      await remove(id)
      const events = await school.db
        .selectFrom('events')
        .select(['action', 'fields'])
        .where('record', '=', 'field')
        .where('record_id', '=', id)
        .orderBy('change_set_id')
        .execute()
      assert.deepEqual(
        events.map(({ action, fields }) => [action, JSON.parse(fields)]),
        [
          [
            'created',
            {
              key: [null, 'logged'],
              label: [null, 'Logged'],
              kind: [null, 'one_of'],
              options: [null, ['a']],
              position: [null, 4],
            },
          ],
          ['changed', { label: ['Logged', 'Logged twice'], archived: [false, true] }],
          [
            'removed',
            {
              key: ['logged', null],
              label: ['Logged twice', null],
              kind: ['one_of', null],
              options: [['a'], null],
              position: [4, null],
              archived: [true, null],
            },
          ],
        ],
      )
    })
  })

  it('are fifty at the most', async () => {
    const crowded = await openSchool()
    const boss = await crowded.person('administrator')
    const add = (n: number) => crowded.post('/api/fields', { label: `Field ${n}`, kind: 'text' }, boss)
    for (let n = 1; n < 49; n++) assert.equal((await add(n)).status, 201)
    const answers = await Promise.all([49, 50, 51, 52].map(add))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, 201, 409, 409], 'of those that come at once, no more get in')
    isProblem(answers.find(({ status }) => status === 409)!, 409, 'too_many_fields')
    assert.equal((await crowded.get('/api/fields', boss)).body.data.length, 50)
  })
})
