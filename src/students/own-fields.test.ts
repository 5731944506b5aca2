import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { type Answer, byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { changedOwnFields } from './own-fields.ts'

const anyVersion = { 'if-match': '*' }

interface Made {
  readonly label: string
  readonly kind: string
  readonly options?: readonly string[]
  readonly sensitive?: boolean
  readonly position?: number
}

/** One field of each kind; two are sensitive. */
const all: readonly Made[] = [
  { label: 'Motto', kind: 'text' },
  { label: 'Plan', kind: 'text_in_lines', sensitive: true },
  { label: 'Height', kind: 'number' },
  { label: 'Pass', kind: 'date' },
  { label: 'House', kind: 'one_of', options: ['Oak', 'Elm', 'Ash'] },
  { label: 'Clubs', kind: 'several_of', options: ['Chess', 'Choir', 'Drama'] },
  { label: 'Meals', kind: 'yes_no', sensitive: true },
]

const whole = {
  motto: 'Per aspera',
  plan: 'EpiPen\nin the office',
  height: 1.52,
  pass: '2031-02-28',
  house: 'Elm',
  clubs: ['Chess', 'Drama'],
  meals: false,
}
const { plan: _, meals: __, ...plain } = whole

/** A school with one field of each kind, and what its tests do with them. */
async function openWithFields(options: Parameters<typeof openSchool>[0] = {}) {
  const school = await openSchool(options)
  const admin = await school.person('administrator')
  const registrar = await school.person('registrar')
  for (const field of all) assert.equal((await school.post('/api/fields', field, admin)).status, 201)
  return { school, admin, registrar, ...callsOf(school, admin, registrar) }
}

function callsOf(school: School, admin: Person, registrar: Person) {
  return {
    create: (fields: unknown, as = registrar) => {
      const body = { name: 'Ada', admission_number: `n-${crypto.randomUUID()}`, class_id: 1, fields }
      return school.post('/api/students', body, as)
    },
    read: (id: number, as = registrar) => school.get(`/api/students/${id}`, as),
    give: (id: number, fields: unknown, as = registrar, headers: Record<string, string> = anyVersion) =>
      school.send('PATCH', `/api/students/${id}`, { as, body: { fields }, headers }),
    define: async (key: string, patch: object) => {
      const { body } = await school.get('/api/fields', admin)
      const { id } = body.data.find((field: { key: string }) => field.key === key)
      const answer = await school.send('PATCH', `/api/fields/${id}`, {
        as: admin,
        body: patch,
        headers: anyVersion,
      })
      assert.equal(answer.status, 200, answer.text)
    },
  }
}

const fieldsOf = ({ body }: Answer) => body.data.fields
const faultsOf = ({ body }: Answer) =>
  body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)

describe('the own fields of a student', () => {
  let opened: Awaited<ReturnType<typeof openWithFields>>
  let teacher: Person
  before(async () => {
    opened = await openWithFields()
    teacher = await personHolding(opened.school, [
      ['students.view', 'students.create', 'students.update'],
      'all',
    ])
  })

  /** A student who has these. */
  async function having(fields: object): Promise<number> {
    const answer = await opened.create(fields)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data.id
  }

  /** What lists are filtered by, of a student. */
  async function valueKeysOf(id: number): Promise<string[]> {
    const rows = await opened.school.db
      .selectFrom('student_field_values')
      .innerJoin('fields', 'fields.id', 'student_field_values.field_id')
      .select(['fields.key', 'value_key'])
      .where('student_id', '=', id)
      .execute()
    return rows.map(({ key, value_key }) => `${key} ${value_key}`).sort()
  }

  it('of every kind are kept with a creation, and shown in the order of the fields', async () => {
    const id = await having({ meals: false, ...plain, plan: whole.plan })
    const answer = await opened.read(id)
    assert.deepEqual(fieldsOf(answer), whole)
    assert.deepEqual(Object.keys(fieldsOf(answer)), Object.keys(whole))
    assert.deepEqual(await valueKeysOf(id), ['clubs Chess', 'clubs Drama', 'house Elm', 'meals false'])
  })

  it('are none where none was given', async () => {
    assert.deepEqual(fieldsOf(await opened.read(await opened.school.student(opened.registrar))), {})
    assert.deepEqual(fieldsOf(await opened.read(await having({}))), {})
    assert.deepEqual(fieldsOf(await opened.read(await having({ motto: null, clubs: [] }))), {})
  })

  it('are changed one by one: what is left out stays, null takes away', async () => {
    const id = await having(whole)
    const changed = await opened.give(id, {
      house: 'Ash',
      clubs: ['Drama', 'Choir'],
      meals: true,
      motto: null,
    })
    assert.equal(changed.status, 200, changed.text)
    const { motto: _, ...others } = whole
    const expected = { ...others, house: 'Ash', clubs: ['Choir', 'Drama'], meals: true }
    assert.deepEqual(fieldsOf(changed), expected)
    assert.deepEqual(fieldsOf(await opened.read(id)), expected)
    assert.deepEqual(await valueKeysOf(id), ['clubs Choir', 'clubs Drama', 'house Ash', 'meals true'])
    const empty = Object.fromEntries(Object.keys(whole).map((key) => [key, null]))
    assert.deepEqual(fieldsOf(await opened.give(id, empty)), {})
    assert.deepEqual(await valueKeysOf(id), [])
  })

  it('that are given as they are make no new version', async () => {
    const id = await having(whole)
    const { etag } = (await opened.read(id)).headers
    const same = await opened.give(id, { clubs: ['Drama', 'Chess'], height: 1.52, motto: ' Per aspera ' })
    assert.deepEqual([same.status, same.headers.etag], [200, etag])
    assert.deepEqual(fieldsOf(same), whole)
  })

  it('stay when other members change', async () => {
    const id = await having(whole)
    const answer = await opened.school.send('PATCH', `/api/students/${id}`, {
      as: opened.registrar,
      body: { name: 'Grace' },
      headers: anyVersion,
    })
    assert.deepEqual([answer.body.data.name, fieldsOf(answer)], ['Grace', whole])
  })

  it('take texts as others do: trimmed, composed, lines kept', async () => {
    const id = await having({ motto: ' Zoe\u0308 ', plan: 'a\r\nb\tc', house: ' Oak ', pass: ' 2026-09-01 ' })
    assert.deepEqual(fieldsOf(await opened.read(id)), {
      motto: 'Zoë',
      plan: 'a\nb\tc',
      pass: '2026-09-01',
      house: 'Oak',
    })
  })

  const bad: [given: unknown, faults: string[]][] = [
    [{ motto: '' }, ['/fields/motto too_short']],
    [{ motto: ' ' }, ['/fields/motto too_short']],
    [{ motto: 'x'.repeat(501) }, ['/fields/motto too_long']],
    [{ motto: 'a\nb' }, ['/fields/motto invalid_format']],
    [{ motto: 7 }, ['/fields/motto wrong_type']],
    [{ plan: 'x'.repeat(2001) }, ['/fields/plan too_long']],
    [{ plan: '\u202e' }, ['/fields/plan invalid_format']],
    [{ height: '1' }, ['/fields/height wrong_type']],
    [{ pass: '2026-02-29' }, ['/fields/pass invalid_format']],
    [{ pass: 20260901 }, ['/fields/pass wrong_type']],
    [{ house: 'Yew' }, ['/fields/house not_allowed']],
    [{ house: 'oak' }, ['/fields/house not_allowed']],
    [{ house: ['Oak'] }, ['/fields/house wrong_type']],
    [{ clubs: 'Chess' }, ['/fields/clubs wrong_type']],
    [
      { clubs: ['Chess', 'Golf', 'Chess', 1] },
      ['/fields/clubs/1 not_allowed', '/fields/clubs/2 duplicate', '/fields/clubs/3 wrong_type'],
    ],
    [{ clubs: Array.from({ length: 101 }, () => 'Chess') }, ['/fields/clubs too_many']],
    [{ meals: 'yes' }, ['/fields/meals wrong_type']],
    [{ meals: 1 }, ['/fields/meals wrong_type']],
    [{ bus: 'x', constructor: 'x' }, ['/fields/bus unknown_member', '/fields/constructor unknown_member']],
    [{ 'a/b': 1, '': 1 }, ['/fields/a~1b unknown_member', '/fields/ unknown_member']],
    [
      { motto: 1, height: 'x', bus: 1 },
      ['/fields/motto wrong_type', '/fields/height wrong_type', '/fields/bus unknown_member'],
    ],
    ['x', ['/fields wrong_type']],
    [null, ['/fields wrong_type']],
    [[], ['/fields wrong_type']],
  ]
  for (const [given, faults] of bad) {
    it(`are refused, and nothing is written: ${JSON.stringify(given).slice(0, 60)}`, async () => {
      const id = await having(plain)
      const before = await opened.school.count('students')
      for (const answer of [await opened.create(given), await opened.give(id, given)]) {
        assert.deepEqual([answer.status, answer.body.code], [422, 'validation_failed'])
        assert.deepEqual(faultsOf(answer), faults)
      }
      assert.equal(await opened.school.count('students'), before)
      assert.deepEqual(fieldsOf(await opened.read(id)), plain)
    })
  }

  it('are refused where a number is no finite one, or a member has a name of the language', async () => {
    const send = (fields: string) =>
      opened.school.send('POST', '/api/students', {
        as: opened.registrar,
        payload: `{"name":"Ada","admission_number":"infinite","class_id":1,"fields":${fields}}`,
        headers: { 'content-type': 'application/json' },
      })
    assert.deepEqual(faultsOf(await send('{"height":1e999}')), ['/fields/height invalid'])
    assert.deepEqual(faultsOf(await send('{"__proto__":{"motto":"x"}}')), [
      '/fields/__proto__ unknown_member',
    ])
  })

  it('say what is accepted: the options, and the keys', async () => {
    const { body } = await opened.create({ house: 'Yew', bus: 1 })
    const [ofHouse, ofBus] = body.errors
    assert.deepEqual(ofHouse.params, { accepted: ['Oak', 'Elm', 'Ash'] })
    assert.deepEqual(ofBus.params, { accepted: Object.keys(whole) })
    assert.doesNotMatch(JSON.stringify(body), /Yew/)
  })

  describe('that are sensitive', () => {
    it('are shown to those alone who hold students.sensitive for the class', async () => {
      const id = await having(whole)
      const seen = await opened.read(id, teacher)
      assert.deepEqual(fieldsOf(seen), plain)
      assert.notEqual(seen.headers.etag, (await opened.read(id)).headers.etag)
      const changed = await opened.give(id, { house: 'Oak' }, teacher)
      assert.deepEqual(fieldsOf(changed), { ...plain, house: 'Oak' })
      assert.deepEqual(fieldsOf(await opened.read(id)), { ...whole, house: 'Oak' }, 'the others stay')
    })

    it('are set by those alone, if only to take one away: 403, whatever the value is', async () => {
      const id = await having(whole)
      for (const given of [{ plan: 'x' }, { meals: null }, { motto: 1, meals: 'no value' }]) {
        for (const answer of [await opened.create(given, teacher), await opened.give(id, given, teacher)])
          assert.deepEqual([answer.status, answer.body.code], [403, 'permission_denied'])
      }
      assert.deepEqual(fieldsOf(await opened.read(id)), whole)
      assert.equal((await opened.create(plain, teacher)).status, 201)
    })

    it('are not set with a move to a class for which it is not held', async () => {
      const id = await having(whole)
      const mover = await personHolding(
        opened.school,
        [['students.view', 'students.update'], 'all'],
        [['students.sensitive'], [1]],
      )
      const move = (fields: object) =>
        opened.school.send('PATCH', `/api/students/${id}`, {
          as: mover,
          body: { class_id: 2, fields },
          headers: anyVersion,
        })
      const refused = await move({ meals: true })
      assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'])
      const moved = await move({ motto: 'New' })
      assert.equal(moved.status, 200, moved.text)
      assert.deepEqual(fieldsOf(moved), { ...plain, motto: 'New' })
    })

    it('do not tell by the entity tag that a student has some', async () => {
      const tagged = async (fields: object) => {
        const { headers } = await opened.read(await having(fields), teacher)
        return String(headers.etag).split('.').length
      }
      assert.equal(await tagged({ meals: true }), await tagged({}))
      assert.ok((await tagged({ motto: 'x' })) > (await tagged({})))
    })
  })

  describe('when a field changes', () => {
    it('an archived one is hidden and takes no value; restored, it is as it was', async () => {
      const id = await having(whole)
      const { etag } = (await opened.read(id)).headers
      await opened.define('house', { archived: true })
      const { house: _, ...others } = whole
      const hidden = await opened.read(id)
      assert.deepEqual(fieldsOf(hidden), others)
      assert.notEqual(hidden.headers.etag, etag)
      for (const given of [{ house: 'Ash' }, { house: null }]) {
        for (const answer of [await opened.create(given), await opened.give(id, given)])
          assert.deepEqual(faultsOf(answer), ['/fields/house archived_field'])
      }
      assert.deepEqual(fieldsOf(await opened.give(id, { motto: 'Ad astra' })), {
        ...others,
        motto: 'Ad astra',
      })
      await opened.define('house', { archived: false })
      assert.deepEqual(fieldsOf(await opened.read(id)), { ...whole, motto: 'Ad astra' })
      assert.deepEqual((await valueKeysOf(id)).includes('house Elm'), true)
    })

    it('one that becomes sensitive is hidden at once from those who may not see it', async () => {
      const id = await having(whole)
      const before = await opened.read(id, teacher)
      await opened.define('pass', { sensitive: true })
      const after = await opened.read(id, teacher)
      const { pass: _, ...others } = plain
      assert.deepEqual(fieldsOf(after), others)
      assert.notEqual(after.headers.etag, before.headers.etag)
    })

    it('the entity tag changes: a change that was meant for what was shown before is 412', async () => {
      const id = await having(whole)
      const tag = String((await opened.read(id)).headers.etag)
      const without = await having({})
      const tagWithout = String((await opened.read(without)).headers.etag)
      await opened.define('motto', { label: 'Device', position: 40 })
      assert.equal((await opened.give(id, { height: 2 }, opened.registrar, { 'if-match': tag })).status, 412)
      const moved = await opened.read(id)
      assert.equal(Object.keys(fieldsOf(moved)).at(-1), 'motto', 'the order is the fields’')
      const now = String(moved.headers.etag)
      assert.equal((await opened.give(id, { height: 2 }, opened.registrar, { 'if-match': now })).status, 200)
      assert.equal(
        (await opened.read(without)).headers.etag,
        tagWithout,
        'a student without any is as before',
      )
      await opened.define('motto', { label: 'Motto', position: 1 })
    })
  })
})

describe('own fields at two instances', () => {
  it('a field that is changed at one holds at the other at once', async () => {
    const one = await openWithFields()
    const other = await openSchool({ databaseUrl: one.school.databaseUrl })
    const there = callsOf(other, one.admin, one.registrar)
    const { id } = (await one.create(whole)).body.data
    assert.deepEqual(fieldsOf(await there.read(id)), whole)
    const { etag } = (await there.read(id)).headers

    await one.define('house', { archived: true })
    const { house: _, ...others } = whole
    const seen = await there.read(id)
    assert.deepEqual(fieldsOf(seen), others)
    assert.notEqual(seen.headers.etag, etag)
    assert.deepEqual(faultsOf(await there.give(id, { house: 'Oak' })), ['/fields/house archived_field'])
    assert.deepEqual(faultsOf(await there.create({ house: 'Oak' })), ['/fields/house archived_field'])

    await there.define('house', { archived: false, options: ['Yew', 'Elm'] })
    assert.deepEqual(fieldsOf(await one.read(id)), whole)
    assert.deepEqual(fieldsOf(await one.give(id, { house: 'Yew' })), { ...whole, house: 'Yew' })
    assert.deepEqual(faultsOf(await one.give(id, { house: 'Oak' })), ['/fields/house not_allowed'])
  })

  it('no value comes into a field that is archived or deleted meanwhile', async () => {
    const one = await openWithFields()
    const other = await openSchool({ databaseUrl: one.school.databaseUrl })
    const there = callsOf(other, one.admin, one.registrar)
    for (let round = 0; round < 10; round++) {
      const made = await one.school.post('/api/fields', { label: 'Brief', kind: 'text' }, one.admin)
      const path = `/api/fields/${made.body.data.id}`
      const [removed, created] = await Promise.all([
        one.school.send('DELETE', path, { as: one.admin, headers: anyVersion }),
        there.create({ brief: 'x' }),
      ])
      const outcome = [removed.status, created.status].join()
      assert.ok(['200,422', '409,201'].includes(outcome), outcome)
      if (removed.status === 200) continue
      assert.equal((await one.give(created.body.data.id, { brief: null })).status, 200)
      const again = await one.school.send('DELETE', path, { as: one.admin, headers: anyVersion })
      assert.equal(again.status, 200)
    }
  })

  it('what a write that failed would have made of the fields is not remembered', async () => {
    const { school, registrar, create, read } = await openWithFields()
    const { id } = (await create(whole)).body.data
    const failing = write(school.db, byTest, async (tx) => {
      await tx.updateTable('fields').set({ archived_at: school.now().toISOString() }).execute()
      await tx
        .updateTable('field_changes')
        .set((q) => ({ version: q('version', '+', 1) }))
        .execute()
      throw new Error('on purpose')
    })
    await assert.rejects(failing, /on purpose/)
    assert.deepEqual(fieldsOf(await read(id, registrar)), whole)
  })
})

describe('changedOwnFields', () => {
  it('tells what changed by kind of secret, and nothing of what stayed', () => {
    const field = (key: string, sensitive: boolean) => ({ key, sensitive }) as never
    const fields = [field('house', false), field('motto', false), field('meals', true), field('clubs', true)]
    const before = '{"house":"Oak","motto":"x","clubs":["a"]}'
    const after = '{"house":"Elm","motto":"x","meals":false,"clubs":["a"]}'
    assert.deepEqual(changedOwnFields(before, after, { fields }), {
      fields: { 'fields.house': ['Oak', 'Elm'] },
      secrets: { 'fields.meals': [null, false] },
    })
    assert.deepEqual(changedOwnFields(null, before, { fields }).fields, {
      'fields.house': [null, 'Oak'],
      'fields.motto': [null, 'x'],
    })
    assert.deepEqual(changedOwnFields(after, null, { fields }).secrets, {
      'fields.meals': [false, null],
      'fields.clubs': [['a'], null],
    })
    assert.deepEqual(changedOwnFields(after, after, { fields }), { fields: {}, secrets: {} })
  })
})
