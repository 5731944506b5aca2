import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Holding, personHolding } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { type Answer, openSchool, type School } from '../../../test/school.ts'

const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const

describe('PATCH of an import that somebody else made', () => {
  let school: School
  let office: Importer
  let colleague: Importer
  before(async () => {
    school = await openSchool()
    office = new Importer(school, await school.person('registrar'))
    colleague = await importerHolding([held, 'all'])
  })

  const importerHolding = async (...holdings: Holding[]) =>
    new Importer(school, await personHolding(school, ...holdings))

  /** Another one each time: the same file is the same import. */
  const file = (): string => {
    files++
    return [
      'Admission number,Name,Class,Notes,Date of birth,Crest',
      `o-1,Ada ${files},Class 3,has asthma,2015-03-09,griffin`,
      `o-2,Bo ${files},Class 4,is adopted,2015-05-17,lion`,
    ].join('\n')
  }
  let files = 0

  /** An import of the office that is planned, as somebody else finds it. */
  const planned = async (as: Importer, text = file()): Promise<ShownImport> => {
    const shown = await office.read(await office.send(text))
    const answers = text.includes('Crest') ? { 'column.Crest': 'leave_out' } : {}
    assert.equal((await office.continued(shown, { answers })).state, 'planned')
    return as.read(shown.id)
  }
  const refused = ({ status, body }: Answer, ...named: string[]) => {
    assert.deepEqual([status, body.code], [403, 'permission_denied'], JSON.stringify(body))
    for (const one of named) assert.ok(body.detail.includes(one), body.detail)
  }
  const answered = async (as: Importer, before: ShownImport, answers: object) => as.patch(before, { answers })

  it('gives a hidden column no other meaning, by whatever answer', async () => {
    const before = await planned(colleague)
    const hidden = ['column.Notes', 'column.Date of birth', 'column.Crest']
    for (const key of hidden)
      for (const answer of ['former_names', 'guardian_1_note', 'identifiers.x'])
        refused(await answered(colleague, before, { [key]: answer }), key, 'students.sensitive')
    refused(await answered(colleague, before, { 'column.Crest': null }), 'column.Crest')
    refused(await answered(colleague, before, { 'column.Notes': 'leave_out' }), 'column.Notes')
    const rest = { 'column.Name': 'given_name', 'column.Notes': 'former_names' }
    refused(await answered(colleague, before, rest), 'column.Notes')
    const shown = await colleague.read(before.id)
    assert.deepEqual([shown.tag, shown.answers], [before.tag, before.answers])
    const text = JSON.stringify([
      shown,
      await colleague.rows(before.id),
      (await colleague.refused(before.id)).text,
    ])
    assert.doesNotMatch(text, /asthma|2015|griffin/)
  })

  it('tells by no mark that clears values what a hidden cell holds', async () => {
    const before = await planned(colleague)
    refused(await answered(colleague, before, { clear: '2015-03-09' }), 'clear', 'students.sensitive')
    const open = await planned(colleague, 'Admission number,Name,Class\no-3,Cy Own,Class 3\n')
    assert.equal((await colleague.continued(open, { answers: { clear: '-' } })).state, 'planned')
  })

  it('reads hidden dates in no other way: which of them are faulty would tell what stands there', async () => {
    const years = 'Admission number,Name,Class,Date of birth\ny-1,Yo Own,Class 3,03.04.15\n'
    const asking = await office.read(await office.send(years))
    assert.equal(asking.questions[0].key, 'date_order.Date of birth')
    const theirs = await colleague.read(asking.id)
    refused(await answered(colleague, theirs, { 'date_order.Date of birth': 'day_first' }), 'date_order')
    const answers = { 'date_order.Date of birth': 'day_first', 'short_years.Date of birth': 1927 }
    await office.continued(asking, { answers: { 'date_order.Date of birth': 'day_first' } })
    await office.continued(await office.read(asking.id), { answers })
    const later = await colleague.read(asking.id)
    refused(await answered(colleague, later, { 'short_years.Date of birth': 'refuse' }), 'short_years')
  })

  it('tells nothing more where a heading is called as another answer is', async () => {
    const asking = await office.read(await office.send(file().replace('Name', 'clear')))
    const answers = { 'column.clear': 'name', 'column.Crest': 'leave_out' }
    await office.continued(asking, { answers })
    refused(await answered(colleague, await colleague.read(asking.id), { clear: '2015-03-09' }), 'clear')
  })

  it('lets a column that they see have another meaning, and all have what they have', async () => {
    const before = await planned(colleague)
    const kept = { 'column.Crest': 'leave_out', 'column.Notes': null }
    const answers = { ...kept, 'column.Name': 'given_name', 'column.Class': 'class' }
    const shown = await colleague.continued(before, { answers })
    assert.equal(shown.answers['column.Name'], 'given_name')
    const hidden = await colleague.continued(shown, { answers: { 'column.Name': 'notes' } })
    refused(await answered(colleague, hidden, { 'column.Name': null }), 'column.Name')
  })

  it('gives a column that is asked about no meaning, and reads no file in another way', async () => {
    const asking = await office.read(await office.send(file()))
    const theirs = await colleague.read(asking.id)
    assert.deepEqual([theirs.state, theirs.questions[0].choices[0].hidden], ['question', true])
    refused(await answered(colleague, theirs, { 'column.Crest': 'former_names' }), 'column.Crest')
    const latin = await office.send(
      Buffer.from('Name,Admission number,Class,Notes\nZo\xeb,o-4,Class 3,x\n', 'latin1'),
    )
    const unread = await colleague.read(latin)
    assert.equal(unread.questions[0].key, 'encoding')
    refused(await answered(colleague, unread, { encoding: 'windows-1252' }), 'encoding')
    await office.continued(await office.read(latin), { answers: { encoding: 'windows-1252' } })
    refused(await answered(colleague, await colleague.read(latin), { encoding: 'koi8-r' }), 'encoding')
  })

  it('moves no row into a class of which they see more', async () => {
    const ofSome = await importerHolding([held, 'all'], [['students.sensitive'], [3]])
    const asking = await office.read(await office.send(file().replaceAll('Class 4', 'Oaks')))
    const theirs = await ofSome.read(asking.id)
    refused(await answered(ofSome, theirs, { 'class.Oaks': 3 }), 'class.Oaks', 'students.sensitive')
    const other = await planned(ofSome)
    for (const answer of ['class_id', 'leave_out'])
      refused(await answered(ofSome, other, { 'column.Class': answer }), 'column.Class')
    const ofClass = await importerHolding(
      [['students.import'], 'all'],
      [['students.view', 'students.create', 'students.update'], [3]],
    )
    const narrow = await planned(ofClass)
    refused(await answered(ofClass, narrow, { 'column.Class': 'leave_out' }), 'column.Class', 'students.view')
    const whole = await colleague.continued(await colleague.read(asking.id), { answers: { 'class.Oaks': 3 } })
    assert.equal(whole.answers['class.Oaks'], 3, 'who sees nothing sensitive sees no more by that')
  })

  it('is for those who see all as ever, and so is one’s own', async () => {
    const own = await colleague.read(await colleague.send(file()))
    const answers = {
      'column.Crest': 'former_names',
      'column.Notes': 'leave_out',
      'column.Date of birth': 'leave_out',
    }
    assert.equal((await colleague.continued(own, { answers })).state, 'planned')
    const other = new Importer(school, await school.person('registrar'))
    const shown = await other.continued(await planned(other), { answers: { 'column.Notes': 'former_names' } })
    assert.equal(shown.answers['column.Notes'], 'former_names')
  })

  it('keeps no answer for everyone’s files from those who see nothing sensitive', async () => {
    const text = 'Admission number,Name,Class,Motto\nk-1,Kim Own,Class 3,Onward\n'
    const own = await colleague.read(await colleague.send(text))
    const answers = { 'column.Motto': 'former_names' }
    refused(await colleague.patch(own, { answers, mapping_name: 'Mottos' }), 'students.sensitive')
    await colleague.applied(await colleague.continued(own, { answers }))
    const next = await office.read(await office.send(text.replaceAll('k-1', 'k-2')))
    assert.deepEqual([next.state, next.mapping], ['question', null])
  })
})
