import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Answer, openSchool, type Person, type School } from '../../test/school.ts'

describe('the name of a student that is given in parts', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const create = (given: object, query = '') => {
    const body = { admission_number: crypto.randomUUID(), class_id: 3, ...given }
    return school.post(`/api/students${query}`, body, registrar)
  }
  const created = async (given: object): Promise<number> => {
    const answer = await create(given)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data.id
  }
  const read = async (id: number) => (await school.get(`/api/students/${id}`, registrar)).body.data
  const patch = (id: number, body: object) =>
    school.send('PATCH', `/api/students/${id}`, { as: registrar, body, headers: { 'if-match': '*' } })
  const patched = async (id: number, body: object): Promise<string> => {
    const answer = await patch(id, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.name
  }
  const versionOf = async (id: number) => {
    const students = school.db.selectFrom('students').select('version').where('id', '=', id)
    return (await students.executeTakeFirstOrThrow()).version
  }
  const found = async (search: string): Promise<number[]> => {
    const { body } = await school.get(`/api/students?search=${encodeURIComponent(search)}`, registrar)
    return body.data.map(({ id }: { id: number }) => id)
  }
  const faultsOf = ({ body }: Answer) =>
    body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)

  it('is joined of them, given names first', async () => {
    const both = await read(await created({ given_name: ' Zoe\u0308 Ida ', family_name: 'Müller' }))
    assert.deepEqual([both.name, both.given_name, both.family_name], ['Zoë Ida Müller', 'Zoë Ida', 'Müller'])
    assert.equal((await read(await created({ given_name: 'Suharto' }))).name, 'Suharto')
    assert.equal((await read(await created({ family_name: '李', given_name: null }))).name, '李')
  })

  it('is found, sorted and told apart by what they make', async () => {
    const id = await created({ given_name: 'Quirin', family_name: 'Quast' })
    assert.deepEqual(await found('quast quirin'), [id])
    const again = await create({ name: 'Quirin QUAST' }, '?duplicates=refuse')
    assert.deepEqual([again.status, again.body.ids], [409, [id]])
    const inParts = await create({ given_name: 'quirin', family_name: 'quast' }, '?duplicates=refuse')
    assert.deepEqual([inParts.status, inParts.body.ids], [409, [id]])
  })

  it('is what is given where it is given, and is never split', async () => {
    const whole = await read(await created({ name: 'Zoë Müller' }))
    assert.deepEqual([whole.given_name, whole.family_name], [null, null])
    const id = await created({ name: 'Z. Müller', given_name: 'Zoë', family_name: 'Müller' })
    assert.equal((await read(id)).name, 'Z. Müller')
    assert.equal(await patched(id, { family_name: 'Braun' }), 'Z. Müller', 'and stays')
  })

  it('follows the parts as they change, and is found by the new ones alone', async () => {
    const id = await created({ given_name: 'Xaver', family_name: 'Xanten' })
    assert.equal(await patched(id, { family_name: 'Xylander' }), 'Xaver Xylander')
    assert.deepEqual([await found('xylander'), await found('xanten')], [[id], []])
    assert.equal(await patched(id, { former_names: 'Xanten' }), 'Xaver Xylander')
    assert.deepEqual(await found('xanten'), [id], 'a former name finds her')
    assert.equal(await patched(id, { given_name: null }), 'Xylander')
    assert.equal(await versionOf(id), 4)
  })

  it('is as it was given from then on, once it is given', async () => {
    const id = await created({ given_name: 'Ada', family_name: 'King' })
    assert.equal(await patched(id, { name: 'Ada Lovelace', family_name: 'Byron' }), 'Ada Lovelace')
    assert.equal(await patched(id, { given_name: 'Augusta' }), 'Ada Lovelace')
  })

  it('still follows them after a patch that says what is there, which makes no version', async () => {
    const id = await created({ given_name: 'Ada', family_name: 'King' })
    const { name, given_name, family_name } = await read(id)
    assert.equal(await patched(id, { name, given_name, family_name }), 'Ada King')
    assert.equal(await versionOf(id), 1)
    assert.equal(await patched(id, { family_name: 'Byron' }), 'Ada Byron')
  })

  it('follows them too where it was given, in the order that it has', async () => {
    const parts = { given_name: 'Anaïs', family_name: 'André' }
    const id = await created({ name: 'André Anaïs', ...parts })
    assert.equal(await patched(id, { family_name: 'André-Dubois' }), 'André-Dubois Anaïs')
    assert.deepEqual(await found('andre-dubois'), [id])
    assert.equal(await patched(id, { given_name: null }), 'André-Dubois')
    assert.equal(await patched(id, { family_name: null }), 'André-Dubois', 'a name stays')
  })

  const nameless: [what: string, given: object, faults: string[]][] = [
    ['neither', {}, ['/name required']],
    ['parts that are null', { given_name: null, family_name: null }, ['/name required']],
    ['an empty part', { given_name: ' ' }, ['/given_name too_short']],
    ['neither, and no class', { class_id: undefined }, ['/name required', '/class_id required']],
    ['null for a name, with a part', { name: null, given_name: 'Zoë' }, ['/name wrong_type']],
    [
      'parts that make a name of more than 255 characters',
      { given_name: 'a'.repeat(128), family_name: 'b'.repeat(127) },
      ['/name too_long'],
    ],
  ]
  for (const [what, given, faults] of nameless) {
    it(`is refused with ${what}, and nothing is created`, async () => {
      const before = await school.count('students')
      const answer = await create(given)
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(faultsOf(answer), faults)
      if (faults.includes('/name required')) assert.match(answer.body.detail, /given_name or family_name/)
      assert.equal(await school.count('students'), before)
    })
  }

  it('may have 255 characters in all', async () => {
    const id = await created({ given_name: 'a'.repeat(127), family_name: 'b'.repeat(127) })
    assert.equal((await read(id)).name.length, 255)
  })

  it('cannot lose both parts, nor become too long', async () => {
    const id = await created({ given_name: 'Ada', family_name: 'King' })
    for (const [body, fault] of [
      [{ given_name: null, family_name: null }, '/name required'],
      [{ given_name: 'a'.repeat(255) }, '/name too_long'],
    ] as const) {
      const answer = await patch(id, body)
      assert.deepEqual([answer.status, faultsOf(answer)], [422, [fault]])
    }
    assert.deepEqual([(await read(id)).name, await versionOf(id)], ['Ada King', 1])
    assert.equal(await patched(id, { given_name: null, family_name: null, name: 'Ada' }), 'Ada')
  })
})
