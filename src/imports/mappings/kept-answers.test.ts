import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type School } from '../../../test/school.ts'
import { answersForNext, signatureOf } from './kept-answers.ts'

describe('answers that are kept for the next file', () => {
  let school: School
  let teacher: Importer
  let office: Importer
  before(async () => {
    school = await openSchool()
    const held = ['students.import', 'students.view', 'students.create', 'classes.view'] as const
    teacher = new Importer(school, await personHolding(school, [held, [1]]))
    office = new Importer(school, await school.person('registrar'))
  })

  const asked = async (importer: Importer, file: string | Buffer) => {
    const shown = await importer.read(await importer.send(file))
    const required = shown.questions.filter((question: { required: boolean }) => question.required)
    return Object.assign(shown, { keys: required.map(({ key }: { key: string }) => key) })
  }

  it('never come from an account of some classes: they would decide what the whole school imports', async () => {
    const file = (name: string) => `Full name;Admission number;Class\n${name} Kept;${name};8b\n`
    const own = await asked(teacher, file('k1'))
    await teacher.applied(await teacher.continued(own, { answers: { 'class.8b': 1 } }))
    const next = await asked(office, file('k2'))
    assert.deepEqual([next.state, next.answers, next.mapping], ['question', {}, null])
    assert.deepEqual(next.keys, ['class.8b'])
    const named = await teacher.patch(await asked(teacher, file('k3')), { mapping_name: 'Taken over' })
    assert.deepEqual([named.status, named.body.code], [403, 'permission_denied'])
  })

  it('are not shown to an account of some classes: they name classes that it may not see', async () => {
    const file = (name: string, label: string) => `Name;Number;Class\n${name} Hid;${name};${label}\n`
    const first = await asked(office, file('h1', 'Protected'))
    const answers = { 'class.Protected': 2, 'column.Number': 'admission_number' }
    await office.applied(await office.continued(first, { answers }))
    const theirs = await asked(teacher, file('h2', 'Class 1'))
    assert.deepEqual([theirs.answers, theirs.mapping], [{}, null])
    const ours = await asked(office, file('h3', 'Protected'))
    assert.deepEqual([ours.state, ours.answers['class.Protected']], ['planned', 2])
  })

  it('do not come again once they are taken back, though the encoding is answered anew', async () => {
    const header = 'Name,Nr.,Klasse,Farbe\n'
    const first = await asked(office, `${header}Ada,e-1,Class 1,rot\n`)
    const answers = { 'column.Nr.': 'admission_number', 'column.Farbe': 'leave_out' }
    await office.applied(await office.continued(first, { answers }))
    const latin = await asked(office, Buffer.from(`${header}J\xf6rg,e-2,Class 1,gr\xfcn\n`, 'latin1'))
    const read = await office.continued(latin, { answers: { encoding: 'windows-1252' } })
    assert.deepEqual(read.answers, { encoding: 'windows-1252', ...answers })
    const back = await office.continued(read, { answers: { 'column.Farbe': null } })
    const anew = await office.continued(back, { answers: { encoding: 'iso-8859-2' } })
    assert.deepEqual(anew.answers, { encoding: 'iso-8859-2', 'column.Nr.': 'admission_number' })
    assert.deepEqual([anew.state, anew.questions[0].key], ['question', 'column.Farbe'])
    const again = await office.continued(anew, { answers: { 'column.Farbe': 'notes' } })
    assert.deepEqual([again.state, again.answers['column.Farbe']], ['planned', 'notes'])
  })

  it('can be the order of dates that a file tells by itself, for the next that does not', async () => {
    const file = (day: string, name: string) => `Name;Number;Class;DOB\n${name};${name};Class 1;${day}\n`
    const told = await asked(office, file('25/03/2014', 'd-1'))
    assert.deepEqual(told.decided['date_order.DOB'], 'day_first')
    const other = { 'date_order.DOB': 'month_first' }
    const { status, body } = await office.patch(told, { answers: other })
    assert.deepEqual([status, body.errors[0].detail], [422, 'must be one of day_first'])
    const answers = { 'column.Number': 'admission_number', 'date_order.DOB': 'day_first' }
    await office.applied(await office.continued(told, { answers }))
    const next = await asked(office, file('04/03/2014', 'd-2'))
    assert.deepEqual(
      [next.state, next.answers['date_order.DOB'], next.decided['date_order.DOB']],
      ['planned', 'day_first', undefined],
    )
    const [{ cells }] = await office.rows(next.id)
    assert.ok(cells.some(({ to }: { to: string }) => to === '2014-03-04'))
  })

  it('are not that the month comes first, where dates have dots: with these, the day does', async () => {
    const file = (day: string, name: string) => `Name;Number;Class;Born\n${name};${name};Class 1;${day}\n`
    const key = 'date_order.Born'
    const plan = async (day: string, name: string, answer: string) => {
      const first = await asked(office, file(day, name))
      const answers = { ...(first.answers['column.Number'] ? {} : { 'column.Number': 'admission_number' }) }
      const ready = await office.continued(first, { answers: { ...answers, [key]: answer } })
      assert.equal((await office.applied(ready)).state, 'applied')
      const [{ cells }] = await office.rows(ready.id)
      return [
        first.keys.includes(key),
        cells.find(({ column }: { column: string }) => column === 'date_of_birth').to,
      ]
    }
    assert.deepEqual(await plan('03/04/2014', 'quirin', 'month_first'), [true, '2014-03-04'])
    const same = await asked(office, file('03/05/2014', 'rosalie'))
    assert.deepEqual([same.state, same.answers[key]], ['planned', 'month_first'])
    assert.deepEqual(await plan('03.04.2014', 'severin', 'day_first'), [true, '2014-04-03'])
    assert.deepEqual(await plan('03/04/2014', 'thea', 'month_first'), [true, '2014-03-04'])
    assert.deepEqual(await plan('03.04.2014', 'ulrike', 'month_first'), [true, '2014-03-04'])
  })

  it('stay under the name that they have, though somebody gives it to those for other headings', async () => {
    const answers = { 'column.Nr.': 'admission_number' }
    const old = await asked(office, 'Name,Nr.,Klasse,Old\nAda,n-1,Class 1,\n')
    await office.continued(old, { answers, mapping_name: 'Old system' })
    const other = await asked(office, 'Vorname,Nachname,Nr.,Klasse\nAda,Lo,n-2,Class 1\n')
    for (const mapping_name of ['Old system', 'old SYSTEM']) {
      const { status, body } = await office.patch(other, { answers, mapping_name })
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/mapping_name', 'taken'])
    }
    const named = await office.continued(other, { answers, mapping_name: 'Other' })
    const renamed = await office.patch(named, { mapping_name: 'Old system' })
    assert.equal(renamed.status, 422)
    const again = await asked(office, 'Name,Nr.,Klasse,Old\nBo,n-3,Class 1,\n')
    assert.deepEqual([again.mapping.name, again.answers], ['Old system', answers])
  })

  it('hold for the file of refused rows, too, and for one in another encoding: nothing is asked twice', async () => {
    const header = 'Nachname;Vorname;Nr.;Klasse;Größe\n'
    const first = await asked(office, `${header}Öz;Ali;f-1;Class 1;1\nLo;Ada;f-2;;2\n`)
    const answers = {
      ...{ 'column.Nr.': 'admission_number', 'column.Größe': 'notes', name_order: 'family_first' },
    }
    const planned = await office.continued(first, {
      answers: { 'column.Nr.': answers['column.Nr.'], 'column.Größe': 'notes' },
    })
    assert.deepEqual(planned.questions.map(({ key }: { key: string }) => key).slice(0, 1), ['name_order'])
    const ready = await office.continued(planned, { answers: { name_order: 'family_first' } })
    await office.applied(ready, { refused: 'skip' })
    const { text } = await office.refused(first.id)
    assert.match(text, /^.?problem;Nachname;/)
    const corrected = await asked(office, text.replace('f-2;;', 'f-2;Class 2;'))
    assert.deepEqual([corrected.state, corrected.answers, corrected.keys], ['planned', answers, []])
    const latin = await asked(office, Buffer.from(`${header}Ünal;Bo;f-3;Class 1;3\n`, 'latin1'))
    assert.deepEqual(latin.keys, ['encoding'])
    const read = await office.continued(latin, { answers: { encoding: 'windows-1252' } })
    assert.deepEqual([read.state, read.answers], ['planned', { encoding: 'windows-1252', ...answers }])
  })

  it('are shown of those classes alone that the file names, and are kept of the others', async () => {
    const file = (name: string, label: string) =>
      `Name;Admission number;Class;Sh\n${name};${name};${label};\n`
    for (const [name, label] of [
      ['sh-1', '9 red'],
      ['sh-2', '9 blue'],
    ] as const) {
      const first = await asked(office, file(name, label))
      const ready = await office.continued(first, { answers: { [`class.${label}`]: 3 } })
      assert.deepEqual(ready.answers, { [`class.${label}`]: 3 })
      await office.applied(ready)
    }
    for (const [name, label, key] of [
      ['sh-3', '9 RED', 'class.9 red'],
      ['sh-4', '9 blue', 'class.9 blue'],
    ] as const) {
      const next = await asked(office, file(name, label))
      assert.deepEqual([next.state, next.answers], ['planned', { [key]: 3 }])
      await office.applied(next)
    }
    assert.deepEqual((await asked(office, file('sh-5', 'Class 1'))).answers, {})
  })

  it('are those on headings, dates, names and classes, and no others', () => {
    const settings = {
      ...{ 'column.X': 'notes', 'class.8': 3, match: 'identifiers.UPN' },
      ...{ 'class.9': 'create', 'class.7': 'leave_out', class_id: 3 },
      ...{ clear: '-', admission_number: '*1', encoding: 'windows-1252', delimiter: ';' },
    }
    assert.deepEqual(answersForNext(settings), {
      'column.X': 'notes',
      'class.8': 3,
      match: 'identifiers.UPN',
    })
    assert.deepEqual(signatureOf([' First-Name', 'DOB', '', '']), ['first name', 'dob'])
    assert.deepEqual(signatureOf(['problem', 'DOB', 'problem']), ['dob', 'problem'])
    assert.deepEqual(signatureOf(['Problem', 'DOB']), ['problem', 'dob'])
  })
})
