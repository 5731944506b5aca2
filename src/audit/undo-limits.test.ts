import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../test/grants.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

const headers = { 'if-match': '*' }

let shared: School
before(async () => {
  shared = await openSchool()
})

/** An administrator of a new school, or of the shared one: for what looks at records of its own alone. */
async function openOffice(given?: School) {
  const school = given ?? (await openSchool())
  const as = await school.person('administrator')
  const patch = async (path: string, body: object) => {
    const { status, text } = await school.send('PATCH', path, { as, body, headers })
    assert.equal(status, 200, text)
  }
  const remove = async (path: string) => {
    const { status, text } = await school.send('DELETE', path, { as, headers })
    assert.equal(status, 200, text)
  }
  const read = async (path: string) => (await school.get(path, as)).body.data
  const create = async (path: string, body: object) => {
    const { status, text, headers } = await school.post(path, body, as)
    assert.equal(status, 201, text)
    return String(headers.location)
  }
  const lastOf = async (record: string): Promise<number> =>
    (await school.get(`/api/audit?record=${record}&per_page=1`, as)).body.data[0].change_set_id
  const undo = async (changeSet: number) => {
    const { status, body, text } = await school.post(`/api/change-sets/${changeSet}/undo`, undefined, as)
    assert.equal(status, 200, text)
    return body.data
  }
  return { school, as, patch, remove, read, create, lastOf, undo }
}

const fieldsOf = (touched: { fields: string[] }[]) => touched.map(({ fields }) => fields)

describe('an undo', () => {
  it('moves no student into a class that was archived since', async () => {
    const { patch, read, create, lastOf, undo } = await openOffice()
    const student = await create('/api/students', { name: 'Zoë', admission_number: 'N-1', class_id: 1 })
    await patch(student, { class_id: 2, name: 'Zoe' })
    const move = await lastOf('student')
    await patch('/api/classes/1', { archived: true })
    const { undone, kept } = await undo(move)
    assert.deepEqual([fieldsOf(undone), fieldsOf(kept)], [[['name']], [['class_id']]])
    assert.equal((await read(student)).class_id, 2)
  })

  it('makes no student anew in a class that was archived since', async () => {
    const { school, as, patch, create, lastOf, undo } = await openOffice()
    const student = await create('/api/students', { name: 'Zoë', admission_number: 'N-1', class_id: 1 })
    const removal = await undo(await lastOf('student'))
    await patch('/api/classes/1', { archived: true })
    const again = await undo(removal.change_set_id)
    assert.deepEqual([again.change_set_id, fieldsOf(again.kept)], [null, [['class_id']]])
    assert.equal((await school.get(student, as)).status, 404)
    await patch('/api/classes/1', { archived: false })
    assert.deepEqual(fieldsOf((await undo(removal.change_set_id)).undone), [[]])
    assert.equal((await school.get(student, as)).status, 200)
  })

  it('makes an archived class anew as it was: archived', async () => {
    const { school, as, patch, remove, read, create, lastOf, undo } = await openOffice(shared)
    const path = await create('/api/classes', { label: 'Old', position: 7 })
    await patch(path, { archived: true })
    await remove(path)
    const again = await undo(await lastOf('class'))
    const { label, position, archived } = await read(path)
    assert.deepEqual([label, position, archived], ['Old', 7, true])
    assert.deepEqual(fieldsOf((await undo(again.change_set_id)).undone), [[]])
    assert.equal((await school.get(path, as)).status, 404)
  })

  it('has a joined name follow the part that goes back, and the one that was corrected since', async () => {
    const { patch, read, create, lastOf, undo } = await openOffice(shared)
    const parts = { given_name: 'Zoe', family_name: 'Meier' }
    const path = await create('/api/students', { ...parts, admission_number: 'S-1', class_id: 1 })
    await patch(path, { family_name: 'Wrong' })
    const wrong = await lastOf('student')
    await patch(path, { given_name: 'Zoë' })
    const { undone, kept } = await undo(wrong)
    assert.deepEqual([fieldsOf(undone), fieldsOf(kept)], [[['family_name', 'name']], []])
    assert.equal((await read(path)).name, 'Zoë Meier')
    await undo(await lastOf('student'))
    assert.equal((await read(path)).name, 'Zoë Wrong')
  })

  it('joins a name anew that was given by mistake, of the parts as they are now', async () => {
    const { patch, read, create, lastOf, undo } = await openOffice(shared)
    const parts = { given_name: 'Zoë', family_name: 'Meier' }
    const path = await create('/api/students', { ...parts, admission_number: 'S-2', class_id: 1 })
    await patch(path, { name: 'Mistake' })
    const mistake = await lastOf('student')
    await patch(path, { family_name: 'Müller' })
    await undo(mistake)
    assert.equal((await read(path)).name, 'Zoë Müller')
    await patch(path, { given_name: 'Zoe' })
    assert.equal((await read(path)).name, 'Zoe Müller')
  })

  it('leaves a name that was given since, and does not join it later', async () => {
    const { patch, read, create, lastOf, undo } = await openOffice(shared)
    const parts = { given_name: 'Zoë', family_name: 'Meier' }
    const path = await create('/api/students', { ...parts, admission_number: 'S-3', class_id: 1 })
    await patch(path, { name: 'Mistake' })
    const mistake = await lastOf('student')
    await patch(path, { name: 'Zoë M.' })
    assert.equal((await undo(mistake)).change_set_id, null)
    await patch(path, { family_name: 'Müller' })
    assert.equal((await read(path)).name, 'Zoë M.')
  })

  it('takes no last part from a joined name', async () => {
    const { patch, read, create, lastOf, undo } = await openOffice(shared)
    const path = await create('/api/students', { given_name: 'A', admission_number: 'S-4', class_id: 1 })
    await patch(path, { family_name: 'B' })
    const filled = await lastOf('student')
    await patch(path, { given_name: null })
    const { change_set_id, kept } = await undo(filled)
    assert.deepEqual([change_set_id, fieldsOf(kept)], [null, [['name', 'family_name']]])
    const { name, family_name } = await read(path)
    assert.deepEqual([name, family_name], ['B', 'B'])
  })

  it('takes a student back who is settled to be another child, and with the student what was settled', async () => {
    const { school, as, create, lastOf, undo } = await openOffice()
    const first = await create('/api/students', { name: 'Same', admission_number: 'N-1', class_id: 1 })
    const body = { name: 'Same', admission_number: 'N-2', class_id: 1 }
    const path = await create(`/api/students?other_than=${first.split('/').at(-1)}`, body)
    const pairs = async () => (await school.get('/api/doubles', as)).body.pagination.total
    assert.equal(await pairs(), 0)
    const gone = await undo(await lastOf('student'))
    assert.equal((await school.get(path, as)).status, 404)
    await undo(gone.change_set_id)
    assert.equal((await school.get(path, as)).status, 200)
    assert.equal(await pairs(), 0, 'they still are two children')
  })

  it('takes back that two are two children, by who may change both', async () => {
    const { school, as, create, lastOf, undo } = await openOffice()
    const paths = []
    for (const class_id of [1, 1])
      paths.push(
        await create('/api/students', { name: 'Same', admission_number: `N-${paths.length}`, class_id }),
      )
    const ids = paths.map((path) => path.split('/').at(-1))
    const settled = await school.send('PUT', `/api/doubles/${ids.join('/')}`, {
      as,
      body: { different: true },
    })
    assert.equal(settled.status, 200, settled.text)
    const pairs = async () => (await school.get('/api/doubles', as)).body.pagination.total
    assert.equal(await pairs(), 0)
    const said = await lastOf('double')
    const codes: Record<string, Person> = {
      '403 permission_denied': await school.person('viewer'),
      '404 change_set_not_found': await personHolding(school, [['students.view', 'students.update'], [2]]),
    }
    for (const [expected, person] of Object.entries(codes)) {
      const { status, body } = await school.post(`/api/change-sets/${said}/undo`, undefined, person)
      assert.equal(`${status} ${body.code}`, expected)
    }
    const undone = await undo(said)
    assert.equal(await pairs(), 1)
    await undo(undone.change_set_id)
    assert.equal(await pairs(), 0)
    await school.send('PUT', `/api/doubles/${ids.join('/')}`, { as, body: { different: false } })
    assert.equal((await undo(said)).change_set_id, null, 'it was forgotten since')
  })
})

describe('what an undo keeps since another record has it', () => {
  it('goes back when it is asked for again once that is free: a student with a number', async () => {
    const { create, read, lastOf, undo } = await openOffice()
    const student = { admission_number: 'N-1', class_id: 1 }
    const path = await create('/api/students', { ...student, name: 'Zoë One' })
    const { change_set_id: removal } = await undo(await lastOf('student'))
    await create('/api/students', { ...student, name: 'Bo Other' })
    const other = await lastOf('student')
    for (const _ of [1, 2]) {
      const { change_set_id, undone, kept } = await undo(removal)
      assert.deepEqual([change_set_id, undone, fieldsOf(kept)], [null, [], [['admission_number']]])
    }
    await undo(other)
    const { change_set_id, kept } = await undo(removal)
    assert.deepEqual([typeof change_set_id, kept], ['number', []])
    assert.deepEqual([(await read(path)).name, (await read(path)).admission_number], ['Zoë One', 'N-1'])
    assert.equal((await read('/api/students?search=n-1')).length, 1)
  })

  it('goes back when it is asked for again once that is free: an identifier, or the label of a class', async () => {
    const { create, patch, read, lastOf, undo } = await openOffice()
    const identifiers = [{ system: 'state', value: '7' }]
    const student = { name: 'Zoë', class_id: 1 }
    const path = await create('/api/students', { ...student, admission_number: 'N-1', identifiers })
    const other = await create('/api/students', { ...student, admission_number: 'N-2' })
    const cases = [
      {
        record: 'student',
        path,
        before: { identifiers },
        change: { identifiers: [] },
        other,
        free: { identifiers: [] },
      },
      {
        ...{
          record: 'class',
          path: '/api/classes/3',
          before: { label: 'Class 3' },
          change: { label: 'Year 3' },
        },
        ...{ other: await create('/api/classes', { label: 'Other' }), free: { label: 'Other' } },
      },
    ]
    for (const { record, path, before, change, other, free } of cases) {
      await patch(path, change)
      const changed = await lastOf(record)
      await patch(other, before)
      const { change_set_id, undone, kept } = await undo(changed)
      assert.deepEqual([change_set_id, undone, fieldsOf(kept)], [null, [], [Object.keys(before)]])
      await patch(other, free)
      assert.deepEqual(fieldsOf((await undo(changed)).undone), [Object.keys(before)])
      const now = await read(path)
      for (const [name, value] of Object.entries(before)) assert.deepEqual(now[name], value)
    }
  })

  it('goes back with the rest, where a part went back before: once that undo is undone', async () => {
    const { school, as, create, patch, read, lastOf, undo } = await openOffice()
    const identifiers = [{ system: 'state', value: '7' }]
    const student = { name: 'Right', class_id: 1 }
    const path = await create('/api/students', { ...student, admission_number: 'N-1', identifiers })
    const other = await create('/api/students', { ...student, admission_number: 'N-2' })
    await patch(path, { name: 'Wrong', identifiers: [] })
    const wrong = await lastOf('student')
    await patch(other, { identifiers })
    const part = await undo(wrong)
    assert.deepEqual([fieldsOf(part.undone), fieldsOf(part.kept)], [[['name']], [['identifiers']]])
    await patch(other, { identifiers: [] })
    const { status, body } = await school.post(`/api/change-sets/${wrong}/undo`, undefined, as)
    assert.deepEqual([status, body.code], [409, 'change_set_undone'])
    await undo(part.change_set_id)
    assert.equal((await read(path)).name, 'Wrong')
    assert.deepEqual((await undo(wrong)).kept, [])
    const { name, identifiers: back } = await read(path)
    assert.deepEqual([name, back], ['Right', identifiers])
  })

  it('gives no value back that was taken back itself since', async () => {
    const { create, patch, read, lastOf, undo } = await openOffice(shared)
    const path = await create('/api/students', { name: 'Right', admission_number: 'S-5', class_id: 1 })
    const changed = async (body: object) => {
      await patch(path, body)
      return lastOf('student')
    }
    const wrong = await changed({ name: 'Wrong', email: 'wrong@school.example' })
    const worse = await changed({ name: 'Worse', address: 'Old Road' })
    const worst = await changed({ name: 'Worst' })
    await undo(wrong)
    assert.deepEqual(fieldsOf((await undo(worse)).undone), [['address']])
    const last = await undo(worst)
    assert.deepEqual([fieldsOf(last.undone), fieldsOf(last.kept)], [[['name']], []])
    assert.equal((await read(path)).name, 'Right')
    await undo(last.change_set_id)
    assert.equal((await read(path)).name, 'Worst')
  })

  it('gives a value back that was taken back, and is there again: by an undo of that, or by hand', async () => {
    const { create, patch, read, lastOf, undo } = await openOffice(shared)
    const path = await create('/api/students', { name: 'Right', admission_number: 'S-6', class_id: 1 })
    await patch(path, { name: 'Other' })
    const other = await lastOf('student')
    const again = await undo((await undo(other)).change_set_id)
    await patch(path, { name: 'Later' })
    await undo(await lastOf('student'))
    assert.equal((await read(path)).name, 'Other')

    await undo(again.change_set_id)
    await patch(path, { name: 'By Hand', address: 'Old Road' })
    const byHand = await lastOf('student')
    await patch(path, { name: 'Right' })
    await patch(path, { name: 'By Hand' })
    await patch(path, { name: 'Later', address: 'New Road' })
    const later = await lastOf('student')
    await patch(path, { address: 'Old Road' })
    assert.deepEqual(fieldsOf((await undo(byHand)).undone), [['address']])
    await undo(later)
    assert.equal((await read(path)).name, 'By Hand')
  })

  it('keeps what would stay the same without a change that was taken back since', async () => {
    const { school, as, create, patch, lastOf, undo } = await openOffice(shared)
    const path = await create('/api/students', { name: 'Right', admission_number: 'S-7', class_id: 1 })
    await patch(path, { name: 'Wrong', email: 'wrong@school.example' })
    const wrong = await lastOf('student')
    await patch(path, { name: 'Right' })
    const mended = await lastOf('student')
    await undo(wrong)
    const before = (await school.get(path, as)).headers.etag
    const { change_set_id, undone, kept } = await undo(mended)
    assert.deepEqual([change_set_id, undone, fieldsOf(kept)], [null, [], [['name']]])
    assert.equal((await school.get(path, as)).headers.etag, before)
  })

  it('labels a class as before, without a label that was taken back since', async () => {
    const { patch, read, lastOf, undo } = await openOffice(shared)
    await patch('/api/classes/4', { label: 'Wrong', position: 44 })
    const wrong = await lastOf('class')
    await patch('/api/classes/4', { label: 'Worse' })
    const worse = await lastOf('class')
    await undo(wrong)
    await undo(worse)
    assert.equal((await read('/api/classes/4')).label, 'Class 4')
  })
})
