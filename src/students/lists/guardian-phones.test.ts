import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('GET /api/students?guardian_phone.empty=', () => {
  let school: School
  let registrar: Person
  /** Students by what their guardians have. */
  const ids = { phone: 0, second: 0, none: 0, words: 0, nobody: 0 }
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    const create = async (class_id: number, name: string, guardians?: object[]) => {
      const body = { name, admission_number: name, class_id, ...(guardians && { guardians }) }
      return (await school.post('/api/students', body, registrar)).body.data.id as number
    }
    ids.phone = await create(3, 'Ada', [{ name: 'Jörg', phone: '+49 30 901820' }])
    ids.second = await create(4, 'Bo', [{ name: 'Mia' }, { name: 'Tom', phone: '٠١٧١' }])
    ids.none = await create(3, 'Cy', [{ name: 'Eva "phone":"1"', email: 'e@x.example', note: '0171 5' }])
    ids.words = await create(4, 'Di', [{ name: 'Kai', phone: 'none' }])
    ids.nobody = await create(3, 'Ed')
  })

  async function found(query: string, as = registrar): Promise<number[]> {
    const { status, body, text } = await school.get(`/api/students?${query}`, as)
    assert.equal(status, 200, text)
    assert.equal(body.pagination.total, body.data.length)
    return body.data.map(({ id }: { id: number }) => id)
  }
  const without = 'guardian_phone.empty=true'

  it('finds the students none of whose guardians can be called, or those of whom one can', async () => {
    assert.deepEqual(await found(without), [ids.none, ids.words, ids.nobody])
    assert.deepEqual(await found('guardian_phone.empty=false'), [ids.phone, ids.second])
  })

  it('goes together with classes, a search, a guardian, other filters and an order', async () => {
    assert.deepEqual(await found(`${without}&class_id=3`), [ids.none, ids.nobody])
    assert.deepEqual(await found(`${without}&class_id=3&class_id=4&sort=-name`), [
      ids.nobody,
      ids.words,
      ids.none,
    ])
    assert.deepEqual(await found(`${without}&search=cy`), [ids.none])
    assert.deepEqual(await found(`${without}&search=ada`), [])
    assert.deepEqual(await found(`${without}&guardian=eva`), [ids.none])
    assert.deepEqual(await found(`${without}&guardians.empty=false`), [ids.none, ids.words])
    const { body } = await school.get(`/api/students?${without}&per_page=1&page=2`, registrar)
    assert.deepEqual([body.data[0].id, body.pagination.total], [ids.words, 3])
    const file = await school.get(`/api/students.csv?${without}&columns=name&bom=off`, registrar)
    assert.equal(file.text, 'name\r\nCy\r\nDi\r\nEd\r\n')
  })

  it('follows a change of the guardians', async () => {
    const change = (guardians: object[] | null) =>
      school.send('PATCH', `/api/students/${ids.nobody}`, {
        as: registrar,
        body: { guardians },
        headers: { 'if-match': '*' },
      })
    assert.equal((await change([{ name: 'New', phone: '1' }])).status, 200)
    assert.deepEqual(await found(without), [ids.none, ids.words])
    assert.equal((await change(null)).status, 200)
    assert.deepEqual(await found(without), [ids.none, ids.words, ids.nobody])
  })

  it('needs students.sensitive for all classes asked for', async () => {
    const viewer = await school.person('viewer')
    const refused = await school.get(`/api/students?${without}`, viewer)
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'])
    const teacher = await personHolding(school, [['students.view'], 'all'], [['students.sensitive'], [3]])
    assert.equal((await school.get(`/api/students?${without}`, teacher)).status, 403)
    assert.equal((await school.get(`/api/students?${without}&class_id=4`, teacher)).status, 403)
    assert.deepEqual(await found(`${without}&class_id=3`, teacher), [ids.none, ids.nobody])
  })

  it('takes true and false alone', async () => {
    const { status, body } = await school.get('/api/students?guardian_phone.empty=yes', registrar)
    assert.deepEqual([status, body.errors[0].pointer], [422, '/guardian_phone.empty'])
  })

  it('is kept in a named list', async () => {
    const filters = { 'guardian_phone.empty': 'true' }
    const made = await school.post('/api/lists', { name: 'To call', filters }, registrar)
    assert.equal(made.status, 201, made.text)
    const { body } = await school.get(`/api/lists/${made.body.data.id}`, registrar)
    assert.deepEqual(body.data.filters, filters)
  })
})
