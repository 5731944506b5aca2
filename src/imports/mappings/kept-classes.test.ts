import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('an answer on a class that is kept for the next file', () => {
  let school: School
  let office: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    office = await school.person('administrator')
    importer = new Importer(school, office)
  })

  const make = async (label: string): Promise<number> => {
    const { status, body, text } = await school.post('/api/classes', { label }, office)
    assert.equal(status, 201, text)
    return body.data.id
  }
  let children = 0
  const sent = async (label: string) => {
    const file = `name,admission_number,class\nKept ${++children},kc-${children},${label}\n`
    return importer.read(await importer.send(file))
  }
  const applied = async (label: string, answer: number) => {
    const asked = await sent(label)
    await importer.applied(await importer.continued(asked, { answers: { [`class.${label}`]: answer } }))
  }
  /** The class of the one row of a plan. */
  const plannedClass = async ({ id }: { readonly id: number }) => {
    const [{ cells }] = await importer.rows(id)
    return cells.find(({ column }: { column: string }) => column === 'class').to
  }

  it('holds no more once a class has that label itself', async () => {
    await applied('9 kept', 3)
    const next = await sent('9 kept')
    assert.deepEqual(
      [next.state, next.answers, await plannedClass(next)],
      ['planned', { 'class.9 kept': 3 }, 'Class 3'],
    )
    await make('9 Kept')
    const later = await sent('9 kept')
    assert.deepEqual([later.state, later.answers, await plannedClass(later)], ['planned', {}, '9 Kept'])
  })
})
