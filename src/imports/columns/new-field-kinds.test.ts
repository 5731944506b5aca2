import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { inline, sheetOf, writtenWorkbook } from '../../../test/workbooks.ts'

interface NewFieldChoice {
  readonly answer: string
  readonly kinds?: readonly string[]
}

describe('the kind of a field that an import makes', () => {
  let school: School
  let admin: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
    importer = new Importer(school, admin)
  })

  const asked = async (file: string, by = importer) => by.read(await by.send(file))

  /** Which kinds the questions on columns propose, by the keys of the questions. */
  const kindsAsked = ({ questions }: ShownImport) =>
    Object.fromEntries(
      (questions as { key: string; choices: NewFieldChoice[] }[])
        .filter(({ key }) => key.startsWith('column.'))
        .map(({ key, choices }) => [key, choices.find(({ answer }) => answer === 'new_field')?.kinds]),
    )

  const fieldCalled = async (label: string) => {
    const { body } = await school.get('/api/fields', admin)
    return body.data.find((field: { label: string }) => field.label === label)
  }

  const studentCalled = async (name: string) => {
    const { body } = await school.get(`/api/students?search=${name}`, admin)
    return (await school.get(`/api/students/${body.data[0].id}`, admin)).body.data
  }

  const toOf = (row: { cells: { column: string; to?: string }[] }, column: string) =>
    row.cells.find((cell) => cell.column === column)?.to

  it('is proposed by what all cells of the column can be read as', async () => {
    const file = [
      'Name,Admission number,Class,Joined,Locker,Swims,House,Mixed,Empty',
      'Ada,p-1,Class 1,13.09.2024,12,ja,Oak,13.09.2024,',
      'Bo,p-2,Class 1,2024-09-14,7,nein,"Elm, new",soon,',
    ].join('\n')
    assert.deepEqual(kindsAsked(await asked(file)), {
      'column.Joined': ['date', 'text', 'text_in_lines'],
      'column.Locker': ['number', 'text', 'text_in_lines'],
      'column.Swims': ['yes_no', 'text', 'text_in_lines'],
      'column.House': ['text', 'text_in_lines'],
      'column.Mixed': ['text', 'text_in_lines'],
    })
  })

  it('is what the answer says, as is whether the field is sensitive; else a text for all to see', async () => {
    const header = 'Name,Admission number,Class,Entered,Paid,Creed,Bus,Remark\n'
    const first = await asked(`${header}Mona Kind,k-1,Class 1,13.09.2024,"12,5",none,7,yes\n`)
    const planned = await importer.continued(first, {
      answers: {
        'column.Entered': 'new_field:date',
        'column.Paid': 'new_field:number:sensitive',
        'column.Creed': 'new_field:sensitive',
        'column.Bus': 'new_field',
        'column.Remark': 'new_field:yes_no',
      },
    })
    assert.equal(planned.state, 'planned', JSON.stringify(planned.questions))
    assert.deepEqual(planned.new_fields, [
      { key: 'entered', label: 'Entered', kind: 'date' },
      { key: 'paid', label: 'Paid', kind: 'number', sensitive: true },
      { key: 'creed', label: 'Creed', sensitive: true },
      { key: 'bus', label: 'Bus' },
      { key: 'remark', label: 'Remark', kind: 'yes_no' },
    ])
    const [row] = await importer.rows(planned.id)
    assert.equal(toOf(row, 'fields.entered'), '2024-09-13')
    assert.equal(toOf(row, 'fields.paid'), '12.5')
    assert.equal(toOf(row, 'fields.remark'), 'true')
    assert.equal((await importer.applied(planned)).state, 'applied')
    const made = await Promise.all(['Entered', 'Paid', 'Creed', 'Bus', 'Remark'].map(fieldCalled))
    assert.deepEqual(
      made.map(({ kind, sensitive }) => [kind, sensitive]),
      [
        ['date', false],
        ['number', true],
        ['text', true],
        ['text', false],
        ['yes_no', false],
      ],
    )
    const viewer = await school.person('viewer')
    const { body: open } = await school.get(`/api/students/${(await studentCalled('Mona')).id}`, viewer)
    assert.deepEqual(open.data.fields, { entered: '2024-09-13', bus: '7', remark: true })
    const { fields } = await studentCalled('Mona')
    assert.deepEqual(fields, { entered: '2024-09-13', paid: 12.5, creed: 'none', bus: '7', remark: true })
    const again = `${header}Mona Kind,k-1,Class 1,2024-09-13,12.50,none,7,ja\n`
    assert.equal((await importer.planned(again)).counts.unchanged, 1, 'written in another way')
    assert.equal((await importer.undone(planned.id)).state, 'undone')
    assert.equal(await fieldCalled('Entered'), undefined)
    assert.equal(await fieldCalled('Creed'), undefined)
  })

  it('is kept with the answers for the next file, and an old answer there makes a text', async () => {
    const file = (number: string, day: string) =>
      `Name,Admission number,Class,Since,Pet\nKim Kept,${number},Class 1,${day},cat\n`
    const answers = { 'column.Since': 'new_field:date:sensitive', 'column.Pet': 'new_field' }
    const planned = await importer.continued(await asked(file('o-1', '13.09.2024')), {
      answers,
      mapping_name: 'With kinds',
    })
    const kept = (await school.get('/api/import-mappings', admin)).body.data
    const named = kept.find(({ name }: { name: string }) => name === 'With kinds')
    assert.equal(named.answers['column.Since'], answers['column.Since'])
    await importer.applied(planned)
    await importer.undone(planned.id)
    const next = await importer.planned(file('o-2', '14.09.2024'))
    assert.deepEqual(next.answers, answers)
    assert.deepEqual(next.new_fields, [
      { key: 'since', label: 'Since', kind: 'date', sensitive: true },
      { key: 'pet', label: 'Pet' },
    ])
    await importer.applied(next)
    const last = await importer.planned(file('o-3', '2024-09-15'))
    assert.deepEqual(last.new_fields, [], 'they are there')
    assert.equal(toOf((await importer.rows(last.id))[0], 'fields.since'), '2024-09-15')
  })

  it('asks whether the day comes first in a date, or the month', async () => {
    const file = 'Name,Admission number,Class,Start\nDay Order,d-1,Class 1,03/04/2024\n'
    const answer = { 'column.Start': 'new_field:date' }
    const ordering = await importer.continued(await asked(file), { answers: answer })
    assert.equal(ordering.state, 'question')
    assert.deepEqual(
      ordering.questions.slice(0, 1).map(({ key }: { key: string }) => key),
      ['date_order.Start'],
    )
    const planned = await importer.continued(ordering, { answers: { 'date_order.Start': 'month_first' } })
    assert.equal(toOf((await importer.rows(planned.id))[0], 'fields.start'), '2024-03-04')
    const asText = await importer.continued(planned, { answers: { 'column.Start': 'new_field' } })
    assert.equal(toOf((await importer.rows(asText.id))[0], 'fields.start'), '03/04/2024')
  })

  it('refuses a cell that it cannot hold, with the fault that such a field has', async () => {
    const header = 'Name,Admission number,Class,Left on,Shoe,Vegan\n'
    const rows = 'Al Bad,r-1,Class 1,99.99.2024,forty,perhaps\nBe Good,r-2,Class 1,13.9.2024,40,no\n'
    const planned = await importer.continued(await asked(header + rows), {
      answers: {
        'column.Left on': 'new_field:date',
        'column.Shoe': 'new_field:number',
        'column.Vegan': 'new_field:yes_no',
      },
    })
    assert.deepEqual([planned.counts.refused, planned.counts.create], [1, 1])
    const [refused] = await importer.rows(planned.id, '&outcome=refused')
    assert.deepEqual(
      refused.cells.map(({ column, code }: { column: string; code: string }) => [column, code]),
      [
        ['fields.left_on', 'invalid_format'],
        ['fields.shoe', 'wrong_type'],
        ['fields.vegan', 'wrong_type'],
      ],
    )
    const { text } = await importer.refused(planned.id, '?language=en')
    assert.match(text, /Left on: There is no such day\./)
    assert.equal((await importer.applied(planned, { refused: 'skip' })).state, 'applied')
    assert.deepEqual((await studentCalled('Good')).fields, {
      ...{ left_on: '2024-09-13', shoe: 40, vegan: false },
    })
  })

  it('is one without options, and is said before whether the field is sensitive', async () => {
    const before = await asked('Name,Admission number,Class,Kind\nAda,w-1,Class 1,x\n')
    for (const answer of ['one_of', 'colour', 'sensitive:date', 'date:', 'date:open', '']) {
      const { status, body } = await importer.patch(before, {
        answers: { 'column.Kind': `new_field:${answer}` },
      })
      assert.equal(status, 422, answer)
      assert.equal(
        body.errors[0].detail,
        'must be new_field, or that with one of :text, :text_in_lines, :number, :date and :yes_no behind it; :sensitive may come last',
      )
    }
  })

  it('may be sensitive though its maker holds no students.sensitive: then rows that give a value are refused', async () => {
    const office = ['students.import', 'students.view', 'students.create'] as const
    const held = [...office, 'classes.view', 'fields.manage'] as const
    const plain = new Importer(school, await personHolding(school, [held, 'all']))
    const rows = 'Se Cret,s-1,Class 1,a\nO Pen,s-2,Class 1,\n'
    const first = await asked(`Name,Admission number,Class,Faith\n${rows}`, plain)
    const planned = await plain.continued(first, { answers: { 'column.Faith': 'new_field:sensitive' } })
    assert.deepEqual([planned.counts.refused, planned.counts.create], [1, 1])
    const [refused] = await plain.rows(planned.id, '&outcome=refused')
    assert.deepEqual(
      refused.cells.map(({ column, code, detail }: Record<string, string>) => [column, code, detail]),
      [['fields.faith', 'permission_denied', 'needs the permission students.sensitive for the class']],
    )
    assert.equal((await plain.applied(planned, { refused: 'skip' })).state, 'applied')
    assert.equal((await fieldCalled('Faith')).sensitive, true)
    assert.deepEqual((await studentCalled('Pen')).fields, {})
    const sums = 'Name,Admission number,Class,Debt\nA B,s-3,Class 1,much\nC D,s-4,Class 1,much\n'
    const debt = { 'column.Debt': 'new_field:number:sensitive' }
    const refusing = await plain.continued(await asked(sums, plain), { answers: debt })
    assert.equal(refusing.counts.refused, 2)
    const groups = await plain.rows(refusing.id, '&group=true')
    assert.ok(!JSON.stringify(groups).includes('much'))
    assert.deepEqual(groups, [], 'no rows are alike in what is not shown')
  })

  it('is warned of where it is text, and the spreadsheet holds numbers: zeros may be lost', async () => {
    const cells = ['t-1', 'Ole', 'Class 1'].map(inline)
    const header = ['admission_number', 'name', 'class', 'Badge'].map(inline)
    const sheet = sheetOf([header, [...cells, '<c><v>42</v></c>']])
    const before = await importer.read(await importer.send(await writtenWorkbook({ sheets: [sheet] })))
    const codesOf = ({ warnings }: ShownImport) => warnings.map(({ code }: { code: string }) => code)
    const asText = await importer.continued(before, { answers: { 'column.Badge': 'new_field:text' } })
    assert.deepEqual(codesOf(asText), ['numbers_in_texts'])
    const asNumber = await importer.continued(asText, { answers: { 'column.Badge': 'new_field:number' } })
    assert.deepEqual(codesOf(asNumber), [])
  })
})
