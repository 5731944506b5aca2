import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { grant, type Holding, personHolding, revokeAll } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

const held = [
  'students.import',
  'students.view',
  'students.create',
  'students.update',
  'students.sensitive',
] as const

describe('a plan that is read by someone who sees less than it was made with', () => {
  let school: School
  let registrar: Person
  let teacher: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    const student = (number: string, class_id: number, more: object = {}) =>
      school.student(registrar, { name: `Ada ${number}`, admission_number: number, class_id, ...more })
    await student('n-1', 1)
    await student('n-2', 2)
    await student('n-3', 2)
    await student('n-4', 1)
    await student('n-5', 2)
    await student('n-6', 2, { date_of_birth: '2014-03-09', name: 'Zoë Doubt' })
    teacher = await personHolding(school, [held, [1, 2]])
    importer = new Importer(school, teacher)
  })

  const rows = [
    'name,admission_number,class,date_of_birth',
    'Ada Changed,n-1,Class 1,',
    'Ada Changed,n-2,Class 2,',
    'Ada n-3,n-3,Class 2,',
    'Zoë Doubt,n-60,Class 1,2014-03-09',
    'New One,n-7,Class 1,',
    'New Two,n-8,Class 2,',
  ]
  const file = `${rows.join('\n')}\n`

  const regranted = async (...holdings: Holding[]) => {
    await revokeAll(school, teacher)
    await grant(school, teacher, ...holdings)
  }

  /** How many rows of each outcome are listed. */
  async function listed(id: number): Promise<Record<string, number>> {
    const outcomes = Map.groupBy(await importer.rows(id), ({ outcome }) => outcome)
    return Object.fromEntries([...outcomes].map(([outcome, all]) => [outcome, all.length]))
  }

  const told = ({ counts }: ShownImport) =>
    Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

  it('counts and lists rows of what they do not see as refused, as a plan of their own does', async () => {
    const planned = await importer.planned(file, '?mode=mirror')
    assert.deepEqual(told(planned), { rows: 6, create: 2, change: 2, unchanged: 1, doubtful: 1, missing: 2 })
    await regranted([held, [1]])
    const narrow = await importer.read(planned.id)
    assert.notEqual(narrow.tag, planned.tag)
    assert.deepEqual(told(narrow), { rows: 6, change: 1, refused: 5, missing: 1 })
    assert.deepEqual(await listed(planned.id), { change: 1, refused: 5 })
    const hidden = (await importer.rows(planned.id, '&outcome=refused')).map(({ row, id, cells }) => [
      ...[row, id, JSON.stringify(cells)],
    ])
    const nothing = '[{"column":"row","hidden":true}]'
    assert.deepEqual(
      hidden,
      [3, 4, 5, 6, 7].map((row) => [row, undefined, nothing]),
    )
    assert.deepEqual((await importer.rows(planned.id, '&column=name')).length, 1)
    const stale = await importer.apply(planned)
    assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
    const own = await importer.continued(narrow, {})
    const [asked] = own.questions
    assert.deepEqual([own.state, asked.key], ['question', 'class.Class 2'], 'to them, there is no such class')
    const left = await importer.continued(own, { answers: { 'class.Class 2': 'leave_out' } })
    // The doubt is gone: it is about a child whom they do not see.
    assert.deepEqual(told(left), { rows: 6, create: 2, change: 1, left_out: 3, missing: 1 })
    await regranted([held, [1, 2]])
    assert.deepEqual(told(await importer.read(planned.id)), told(left), 'whoever sees more sees it as it is')
  })

  it('proposes no class that they do not see, and no number that follows theirs', async () => {
    await regranted([held, [1, 2]])
    const asking = await importer.read(await importer.send('name,class\nAda,Class 21\n'))
    const answers = ({ questions }: ShownImport): Record<string, unknown[]> =>
      Object.fromEntries(
        questions.map(({ key, choices }: { key: string; choices: { answer: unknown }[] }) => [
          key,
          choices.map(({ answer }) => answer),
        ]),
      )
    const whole = answers(asking)
    assert.ok(whole['class.Class 21']!.includes(1) && whole['class.Class 21']!.includes(2))
    assert.equal(whole.admission_number!.length, 1)
    await regranted([held, [1]])
    const narrow = await importer.read(asking.id)
    assert.notEqual(narrow.tag, asking.tag)
    const some = answers(narrow)
    assert.ok(some['class.Class 21']!.includes(1) && !some['class.Class 21']!.includes(2))
    assert.deepEqual(some.admission_number, [])
  })

  it('tells of no child that it has made and that went to a class that they do not see', async () => {
    await regranted([held, [1, 2]])
    const planned = await importer.planned(
      file.split('\n').slice(0, 1).concat('Mo Ved,v-1,Class 1,\n').join('\n'),
    )
    assert.equal((await importer.applied(planned)).state, 'applied')
    const [row] = await importer.rows(planned.id)
    const { status } = await school.send('PATCH', `/api/students/${row!.id}`, {
      as: registrar,
      body: { class_id: 2 },
      headers: { 'if-match': '*' },
    })
    assert.equal(status, 200)
    await regranted([held, [1]])
    const hidden = await importer.rows(planned.id)
    assert.deepEqual(
      hidden.map(({ outcome, id }) => [outcome, id]),
      [['refused', undefined]],
    )
  })

  it('tells them no old value of a child whom the import has moved to where they see it', async () => {
    await regranted([held, [1, 2]])
    const before = { name: 'Mo Ved', admission_number: 'm-1', class_id: 2, date_of_birth: '2013-03-03' }
    await school.student(registrar, before)
    const planned = await importer.planned(`${rows[0]}\nMo Ved,m-1,Class 1,2013-04-04\n`)
    assert.deepEqual(told(await importer.applied(planned)), { rows: 1, change: 1 })
    assert.match(JSON.stringify(await importer.rows(planned.id)), /2013-03-03/)
    await regranted([held, [1]])
    const [moved] = await importer.rows(planned.id)
    assert.deepEqual([moved.outcome, moved.cells], ['refused', [{ column: 'row', hidden: true }]])
  })

  it('tells them of no decision, and nothing of who a child is not', async () => {
    await regranted([held, [1, 2]])
    const lines = [
      'Zoë Doubt,d-1,Class 1,2014-03-09',
      'Zoë Doubt,d-2,Class 1,2014-03-09',
      'Zed Plain,d-3,Class 1,',
    ]
    const doubtful = await importer.planned(`${[rows[0], ...lines].join('\n')}\n`)
    const [{ id: doubted }] = (await school.get('/api/students?search=n-6', registrar)).body.data
    const decisions = [
      { row: 2, decision: 'same', id: doubted },
      { row: 3, decision: 'new' },
    ]
    const decided = await importer.continued(doubtful, { decisions })
    assert.deepEqual(told(decided), { rows: 3, create: 2, change: 1 })
    await regranted([held, [1]])
    const shown = (await importer.rows(doubtful.id)).map(({ row, outcome, decision, cells }) => [
      ...[row, outcome, decision, cells[0].hidden],
    ])
    // Were the last row shown as new, they would know that the others are not.
    assert.deepEqual(
      shown,
      [2, 3, 4].map((row) => [row, 'refused', undefined, true]),
    )
    assert.deepEqual(told(await importer.read(doubtful.id)), { rows: 3, refused: 3 })
    await regranted([held, [1, 2]])
    assert.equal((await importer.applied(await importer.read(doubtful.id))).state, 'applied')
    await regranted([held, [1]])
    const made = (await importer.rows(doubtful.id)).map(({ row, outcome, id, decision }) => [
      ...[row, outcome, typeof id, decision],
    ])
    assert.deepEqual(made, [
      [2, 'refused', 'undefined', undefined],
      [3, 'create', 'number', undefined],
      [4, 'create', 'number', undefined],
    ])
  })

  it('tells whoever may not see what is sensitive of no guess that holds, and of none that does not', async () => {
    await regranted([held, [1, 2]])
    const student = { name: 'Guess Me', admission_number: 's-1', class_id: 1, date_of_birth: '2015-05-17' }
    await school.student(registrar, student)
    const lines = [
      'Guess Me,s-1,Class 1,2015-05-17',
      'Guess Me,s-1x,Class 1,2015-05-17',
      'Guess Me,s-1y,Class 1,2015-05-18',
      'Other One,n-4,Class 1,2015-05-18',
    ]
    const guesses = await importer.planned(`${[rows[0], ...lines].join('\n')}\n`)
    assert.deepEqual(told(guesses), { rows: 4, create: 1, change: 1, unchanged: 1, doubtful: 1 })
    await regranted([held.filter((one) => one !== 'students.sensitive'), [1, 2]])
    assert.deepEqual(told(await importer.read(guesses.id)), { rows: 4, refused: 4 })
    assert.deepEqual(await listed(guesses.id), { refused: 4 })
    assert.deepEqual((await importer.rows(guesses.id, '&column=date_of_birth')).length, 0)
    await regranted(
      [held.filter((one) => one !== 'students.sensitive'), [1, 2]],
      [['students.sensitive'], [1]],
    )
    // What is doubtful may be so by a child of another class.
    assert.deepEqual(await listed(guesses.id), { change: 1, unchanged: 1, refused: 2 })
  })

  it('does not name the column of a fault in a row of a class that they do not see', async () => {
    await regranted([held, [1, 2]])
    const faulty = await importer.planned(`${rows[0]}\nAda n-2,n-2,Class 2,1.1.1\n`)
    assert.deepEqual(told(faulty), { rows: 1, refused: 1 })
    await regranted([held, [1]])
    const [row] = await importer.rows(faulty.id)
    assert.deepEqual(row.cells, [{ column: 'row', hidden: true }])
    assert.deepEqual((await importer.rows(faulty.id, '&column=date_of_birth')).length, 0)
    const { text } = await school.get(`/api/imports/${faulty.id}/refused`, teacher)
    assert.match(text, /the row tells of what you may not see/)
    assert.doesNotMatch(text, /date_of_birth has/)
  })

  it('tells them neither which hidden records changed, nor how many cells lack their zeros', async () => {
    await regranted([held, [1, 2]])
    const phone = { guardians: [{ name: 'Mia', phone: '0171500' }] }
    const names = { name: 'Uma Ott', given_name: 'Uma', family_name: 'Ott' }
    const student = { ...names, admission_number: 'o-1', class_id: 2, ...phone }
    const uma = await school.student(registrar, student)
    const planned = await importer.planned(
      'name,family_name,admission_number,class,guardian_1_name,guardian_1_phone\nUma Ott,Alt,o-1,Class 2,Mia,171500\n',
    )
    const codes = ({ warnings }: ShownImport) => warnings.map(({ code }: { code: string }) => code)
    const all = ['zeros_lost', 'full_names_kept']
    assert.deepEqual(codes(planned), all)
    const change = { as: registrar, body: { preferred_name: 'U' }, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', `/api/students/${uma}`, change)).status, 200)
    assert.equal((await importer.apply(planned)).body.code, 'plan_outdated')
    const marked = await importer.read(planned.id)
    assert.equal((await importer.rows(planned.id, '&outdated=true')).length, 1)
    assert.deepEqual(codes(marked), all)
    await regranted([held.filter((one) => one !== 'students.sensitive'), [1, 2]])
    assert.deepEqual(codes(await importer.read(planned.id)), [], 'the zeros are of a sensitive cell')
    await regranted([held, [1]])
    assert.deepEqual(codes(await importer.read(planned.id)), [])
    assert.deepEqual((await importer.rows(planned.id, '&outdated=true')).length, 0)
    const [hidden] = await importer.rows(planned.id, '&outdated=false')
    assert.deepEqual([hidden.outcome, hidden.outdated], ['refused', false])
  })

  it('tells them of no import of the same file before: it says that a hidden row would be written', async () => {
    await regranted([held, [1, 2]])
    const file = (name: string) => `name,admission_number,class\n${name},o-2,Class 2\n`
    await importer.applied(await importer.planned(file('Ole Ott')))
    await importer.applied(await importer.planned(file('Ole Alt')))
    const { id, warnings } = await importer.planned(file('Ole Ott'))
    assert.deepEqual(
      warnings.map(({ code }: { code: string }) => code),
      ['imported_before'],
    )
    await regranted([held, [1]])
    assert.deepEqual((await importer.read(id)).warnings, [])
  })

  it('tells them of no dates of birth in hidden rows that look wrong', async () => {
    await regranted([held, [1, 2]])
    const rows = ['Ida Alt,o-3,Class 2,1950-01-01', 'Ida Neu,o-4,Class 2,2012-01-01']
    const { id, warnings } = await importer.planned(
      `name,admission_number,class,date_of_birth\n${rows.join('\n')}\n`,
    )
    assert.equal(warnings[0]?.code, 'odd_ages')
    await regranted([held, [1]])
    assert.deepEqual((await importer.read(id)).warnings, [])
  })

  it('hides what is planned for somebody else from the first row on, and when that is given up', async () => {
    await regranted([held, [1]])
    const many = Array.from({ length: 5_000 }, (_, i) => `Many ${i},q-${i},Class 1,`)
    const odd = ['Zoë Doubt,n-6,Class 1,2014-03-09', 'Nobody,q-x,Class 21,']
    const id = await importer.send(`${[rows[0], ...odd, ...many].join('\n')}\n`)
    assert.equal((await importer.read(id)).state, 'question')
    const office = new Importer(school, registrar)
    const answers = { 'class.Class 21': 'leave_out' }
    assert.equal((await office.patch(await office.read(id), { answers })).status, 200)
    const written = () => school.db.selectFrom('import_plan').select('place').where('import_id', '=', id)
    while ((await written().limit(1).execute()).length === 0) await setImmediate()
    assert.equal((await school.post(`/api/imports/${id}/cancel`, undefined, registrar)).status, 200)
    assert.deepEqual(await importer.rows(id), [])
    assert.deepEqual(await office.rows(id), [], 'no plan is whole')
  })

  it('shows no row of a plan that is no more, when it comes back to a question', async () => {
    await regranted([held, [1, 2]])
    const { id } = await importer.planned(file)
    await regranted([held, [1]])
    const office = new Importer(school, registrar)
    assert.equal((await office.continued(await office.read(id), {})).state, 'planned')
    const narrow = await importer.read(id)
    const answers = { 'column.date_of_birth': 'leave_out' }
    const asking = await importer.continued(narrow, { answers })
    assert.equal(asking.state, 'question')
    assert.deepEqual(await importer.rows(id), [])
    assert.deepEqual(await importer.rows(id, '&group=true'), [])
  })

  it('tells them neither how far it is, nor whether it changed anything, nor the answers of others', async () => {
    await regranted([held, [1, 2]])
    const text = `${rows[0]}\nAda Changed,n-4,Class 21,\n`
    const asking = await importer.read(await importer.send(text))
    await regranted([held, [1]])
    const office = new Importer(school, registrar)
    const answers = { 'class.Class 21': 2 }
    const planned = await office.continued(await office.read(asking.id), { answers })
    assert.equal((await office.applied(planned)).state, 'applied')
    const [whole, narrow] = [await office.read(asking.id), await importer.read(asking.id)]
    assert.deepEqual([whole.answers, narrow.answers], [answers, {}])
    assert.deepEqual([typeof whole.change_set_id, narrow.change_set_id], ['number', null])
    assert.deepEqual(told(narrow), { rows: 1, refused: 1 })
  })

  it('gives them as many refused rows as are counted, and nothing of those of which they are not told', async () => {
    await regranted([held, [1, 2]])
    const planned = await importer.planned(`${rows[0]}\nAda n-2,n-2,Class 2,\nAda n-1,n-1,Class 1,1.1.1\n`)
    await regranted([held, [1]])
    assert.deepEqual(told(await importer.read(planned.id)), { rows: 2, refused: 2 })
    const { text } = await school.get(`/api/imports/${planned.id}/refused`, teacher)
    const [, ...lines] = text.trim().split('\r\n')
    assert.deepEqual([lines.length, lines[0]], [2, 'the row tells of what you may not see,,,,'])
    assert.match(lines[1]!, /^"date_of_birth .*n-1/)
  })

  it('tells nothing of what an undo kept of a child that is in another class by now', async () => {
    await regranted([held, [1, 2]])
    const id = await school.student(registrar, { name: 'Kept', admission_number: 'k-1', class_id: 1 })
    await regranted([held, [1]])
    const planned = await importer.planned('admission_number,preferred_name\nk-1,Kay\n', '?mode=update')
    assert.equal((await importer.applied(planned)).state, 'applied')
    for (const body of [{ preferred_name: 'Kit' }, { class_id: 2 }]) {
      const change = { as: registrar, body, headers: { 'if-match': '*' } }
      assert.equal((await school.send('PATCH', `/api/students/${id}`, change)).status, 200)
    }
    assert.equal((await new Importer(school, registrar).undone(planned.id)).state, 'undone')
    const [row] = await importer.rows(planned.id)
    assert.deepEqual([row.id, row.kept], [undefined, undefined])
    assert.deepEqual(await importer.rows(planned.id, '&kept=true'), [])
    assert.equal((await new Importer(school, registrar).read(planned.id)).counts.kept_change, 1)
    const { counts, tag } = await importer.read(planned.id)
    assert.deepEqual([counts.change, counts.kept_change], [1, undefined])
    await regranted([held, 'all'])
    const whole = await importer.read(planned.id)
    assert.deepEqual([whole.counts.kept_change, whole.tag === tag], [1, false])
  })

  it('is shown as it is to whoever sees all of it, though it is made for somebody else', async () => {
    await regranted([held, [1, 2]])
    const planned = await importer.planned(file.replaceAll('n-', 'm-'))
    const office = new Importer(school, registrar)
    assert.deepEqual(told(await office.read(planned.id)), told(planned))
  })
})

describe('a list of imports that is read by someone who sees less than they were made with', () => {
  it('tells the same counts as each import does, with sensitive columns, new fields and neither', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('administrator'))
    const colleague = await personHolding(school, [held.slice(0, 4), 'all'])
    const made = async (heading: string, cell: string, answers = {}) => {
      const id = await importer.send(
        `name,admission_number,class,${heading}\n${heading} Ada,${heading},Class 1,${cell}\n`,
      )
      const sent = await importer.read(id)
      return sent.state === 'question' ? importer.continued(sent, { answers }) : sent
    }
    const seen = async () => {
      const { body } = await school.get('/api/imports', colleague)
      const each = body.data.map(async ({ id, ...listed }: { id: number; counts: { create: number } }) => {
        const { data } = (await school.get(`/api/imports/${id}`, colleague)).body
        assert.deepEqual([listed.counts, data.progress], [data.counts, null])
        return listed.counts.create
      })
      return (await Promise.all(each)).toReversed()
    }
    await made('former_names', 'Eda')
    await made('date_of_birth', '2015-03-04')
    const club = await made('Club', 'Chess', { 'column.Club': 'new_field' })
    const faith = await made('Faith', 'Jedi', { 'column.Faith': 'new_field:sensitive' })
    assert.deepEqual(await seen(), [1, 0, 0, 0])
    for (const { id } of [club, faith])
      await importer.applied(await importer.continued(await importer.read(id), {}))
    assert.deepEqual(await seen(), [1, 0, 1, 1])
  })
})
