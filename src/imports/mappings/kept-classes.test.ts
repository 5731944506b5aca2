import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { byTest, openSchool, type Person, type School } from '../../../test/school.ts'
import { write } from '../../events/write.ts'

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

  const change = async (id: number, body: object) => {
    const sent = { as: office, body, headers: { 'if-match': '*' } }
    const { status, text } = await school.send('PATCH', `/api/classes/${id}`, sent)
    assert.equal(status, 200, text)
  }
  const listed = async () => {
    const { body } = await school.get('/api/import-mappings', office)
    return body.data[0].answers
  }
  const onClasses = ({ questions }: ShownImport) =>
    questions.flatMap(({ key, choices: [first] }: ShownImport) =>
      key.startsWith('class.') ? [[key, first.text]] : [],
    )

  it('is asked again once its class is called otherwise: the next year has another of that label', async () => {
    const [label, key] = ['5. Klasse A', 'class.5. Klasse A']
    const last = await make('5a')
    await applied(label, last)
    const same = await sent(label)
    assert.deepEqual([same.state, same.answers], ['planned', { [key]: last }])
    assert.deepEqual(await listed(), { [key]: last })
    await change(last, { label: '6a' })
    await make('5a')
    const next = await sent(label)
    assert.deepEqual([next.state, next.answers, onClasses(next)], ['question', {}, [[key, '5a']]])
    assert.deepEqual(await listed(), {})
  })

  it('is asked again while its class is archived, though another one is there', async () => {
    const old = await make('7a')
    await applied('7. Klasse A', old)
    await change(old, { archived: true })
    assert.equal((await sent('7. Klasse A')).state, 'question')
    await change(old, { label: '7a 2026' })
    await make('7a')
    const next = await sent('7. Klasse A')
    assert.deepEqual([next.state, onClasses(next)], ['question', [['class.7. Klasse A', '7a']]])
  })

  it('holds by its id alone where it was kept before labels were', async () => {
    await applied('Sechs', 4)
    await write(school.db, byTest, (tx) =>
      tx.updateTable('import_mappings').set({ answers: '{"class.Sechs":4}' }).execute(),
    )
    await change(4, { label: 'Renamed' })
    const next = await sent('Sechs')
    assert.deepEqual([next.answers, await plannedClass(next)], [{ 'class.Sechs': 4 }, 'Renamed'])
    await change(4, { archived: true })
    assert.equal((await sent('Sechs')).state, 'question')
  })

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
