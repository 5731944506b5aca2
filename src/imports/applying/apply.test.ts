import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, personHolding, revokeAll } from '../../../test/grants.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { type StagedFile, stage } from '../../../test/staged-imports.ts'
import { write } from '../../events/write.ts'
import { eraseDue } from '../erasing.ts'

const header = ['admission_number', 'name', 'class_id']

/** Rows of new students, whose numbers begin alike. */
const newRows = (prefix: string, count: number, classId = 1) =>
  Array.from({ length: count }, (_, i) => [`${prefix}-${i}`, `${prefix} Name${i}x`, String(classId)])

describe('applying an import', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const found = async (search: string) =>
    (await school.get(`/api/students?search=${search}&per_page=1000`, registrar)).body.pagination.total

  async function planned(file: StagedFile, as = registrar) {
    const staged = await stage(school, as, file)
    await staged.plan()
    return staged
  }

  it('makes and changes students in one change set, and tells the row in their histories', async () => {
    const id = await school.student(registrar, { admission_number: 'a-1', name: 'Old Name' })
    const staged = await planned({
      header: [...header, 'date_of_birth', 'guardian_1_name', 'identifiers.UPN'],
      rows: [
        ['a-1', 'New Name', '2', '2014-03-09', 'Jo', 'x1'],
        ...newRows('apply', 250).map((row) => [...row, '', 'Mo', '']),
      ],
    })
    assert.equal(await staged.apply(registrar), 'applied')
    assert.equal(await found('apply'), 250)
    assert.equal(
      (await school.get('/api/students?guardian=mo&per_page=1', registrar)).body.pagination.total,
      250,
    )
    const { body } = await school.get(`/api/students/${id}`, registrar)
    assert.equal(body.data.name, 'New Name')
    assert.equal(body.data.class_id, 2)
    assert.equal(body.data.guardians[0].name, 'Jo')
    const [entry] = (await school.get(`/api/students/${id}/history`, registrar)).body.data
    assert.deepEqual(entry.import, { id: staged.id, row: 2, sheet: 1 })
    assert.equal(entry.kind, 'import')
    assert.equal(entry.change_set_id, (await staged.row()).change_set_id)
    const again = await planned({ header, rows: newRows('apply', 250) })
    assert.equal((await again.row()).counts!.unchanged, 250)
  })

  it('pages through the history of what it did', async () => {
    const admin = await school.person('administrator')
    const rows = [...newRows('paged', 4), ['paged-4', 'Pa Ged', 'Paged Class']]
    const staged = await planned({ header, rows })
    await staged.apply(registrar)
    const seen: unknown[] = []
    for (let before = ''; ; ) {
      const { body } = await school.get(`/api/audit?per_page=2&before=${before}`, admin)
      seen.push(...body.data.filter((one: { import?: { id: number } }) => one.import?.id === staged.id))
      before = body.next
      if (seen.length >= 6 || before === null) break
    }
    assert.equal(seen.length, 6)
    assert.deepEqual((seen.at(-1) as { import: object }).import, { id: staged.id, row: null, sheet: null })
  })

  it('makes the classes and the fields that it needs', async () => {
    const admin = await school.person('administrator')
    const staged = await planned(
      {
        header: ['admission_number', 'name', 'class_id', 'fields.bus'],
        rows: [['f-1', 'Fi Eld', 'Seepferdchen', 'line 7']],
        newFields: [{ key: 'bus', label: 'Bus' }],
      },
      admin,
    )
    assert.equal(await staged.apply(admin), 'applied')
    const { body } = await school.get('/api/students?search=f-1', admin)
    const student = (await school.get(`/api/students/${body.data[0].id}`, admin)).body.data
    assert.equal(student.class, 'Seepferdchen')
    assert.deepEqual(student.fields, { bus: 'line 7' })
    assert.equal(await staged.undo(admin), 'undone')
    const labels = (await school.get('/api/classes', admin)).body.data.map(
      (one: { label: string }) => one.label,
    )
    assert.ok(!labels.includes('Seepferdchen'))
    assert.ok(!(await school.get('/api/fields', admin)).text.includes('"bus"'))
  })

  it('remembers who a new student is not', async () => {
    await school.student(registrar, { admission_number: '0701', name: 'Pa Ir', class_id: 6 })
    const staged = await planned({ header, rows: [['701', 'Pa Ir', '6']] })
    await staged.decide(2, 'new')
    await staged.plan()
    await staged.apply(registrar)
    const { body } = await school.get('/api/doubles', registrar)
    assert.ok(!JSON.stringify(body.data).includes('Pa Ir'))
  })

  it('is refused while rows are undecided, or are refused and not skipped', async () => {
    await school.student(registrar, { admission_number: '0702', name: 'Un Dec' })
    const doubtful = await planned({ header, rows: [['702', 'Un Dec', '1']] })
    await assert.rejects(doubtful.apply(registrar), { code: 'rows_undecided' })
    const refused = await planned({ header, rows: [...newRows('good', 1), ['bad', 'B', '99']] })
    await assert.rejects(refused.apply(registrar), { code: 'rows_undecided' })
    assert.equal(await refused.apply(registrar, { refused: 'skip' }), 'applied')
    assert.equal(await found('good'), 1)
  })

  it('is planned anew where a record changed since, or a number was taken', async () => {
    const id = await school.student(registrar, { admission_number: 'o-1', name: 'Out Dated' })
    const staged = await planned({ header, rows: [['o-1', 'Out Date', '1'], ...newRows('outdated', 2)] })
    await school.send('PATCH', `/api/students/${id}`, {
      as: registrar,
      body: { given_name: 'X' },
      headers: { 'if-match': '*' },
    })
    await school.student(registrar, { admission_number: 'outdated-1', name: 'Me First' })
    await assert.rejects(staged.apply(registrar), { code: 'plan_outdated' })
    assert.equal((await staged.row()).state, 'reading')
    await staged.plan()
    assert.deepEqual(
      (await staged.rows(registrar, { outdated: 'true' })).map(({ row }) => row),
      [2, 4],
    )
    assert.equal(await staged.apply(registrar), 'applied')
  })

  it('is planned anew where a child was removed since, made again, and changed by hand', async () => {
    const id = await school.student(registrar, { admission_number: 'ag-1', name: 'Ag Ain' })
    const path = `/api/students/${id}`
    const edit = async (name: string) => {
      await school.send('PATCH', path, { as: registrar, body: { name }, headers: { 'if-match': '*' } })
    }
    const last = async () => (await school.get(`${path}/history`, registrar)).body.data[0].change_set_id
    const undo = async (changeSet: number) =>
      (await school.post(`/api/change-sets/${changeSet}/undo`, undefined, registrar)).body.data.change_set_id
    const created = await last()
    await edit('Ag Once')
    const staged = await planned({ header, rows: [['ag-1', 'Ag File', '1']] })
    await undo(await last())
    await undo(await undo(created))
    await edit('Ag Hand')
    await assert.rejects(staged.apply(registrar), { code: 'plan_outdated' })
    assert.equal((await school.get(path, registrar)).body.data.name, 'Ag Hand')
  })

  it('is planned anew where children came since whom it would make again, and asks about them', async () => {
    const columns = [...header, 'date_of_birth']
    const staged = await planned({
      header: columns,
      rows: [
        ['came-1', 'Ca Mé', '1', '2014-03-09'],
        ['came-2', 'No Day', '2', ''],
        ['came-3', 'Ca Other', '1', '2014-03-09'],
        ['came-4', 'No Day', '3', ''],
      ],
    })
    const born = { name: 'ca me', class_id: 5, date_of_birth: '2014-03-09' }
    await school.student(registrar, { admission_number: 'by-hand-1', ...born })
    await school.student(registrar, { admission_number: 'by-hand-2', name: 'No Day', class_id: 2 })
    await assert.rejects(staged.apply(registrar), { code: 'plan_outdated' })
    assert.deepEqual(await staged.plan(), { rows: 4, create: 2, doubtful: 2 })
    const outdated = await staged.rows(registrar, { outdated: 'true' })
    assert.deepEqual(
      outdated.map(({ row, outcome }) => [row, outcome]),
      [
        [2, 'doubtful'],
        [3, 'doubtful'],
      ],
    )
    for (const row of [2, 3]) await staged.decide(row, 'new')
    await staged.plan()
    assert.equal(await staged.apply(registrar), 'applied')
  })

  it('tells nothing of children who came since and whom its account may not see, or not their day of birth', async () => {
    const held = ['students.view', 'students.create', 'students.update', 'students.import'] as const
    const clerk = await personHolding(school, [held, [1, 3]], [['students.sensitive'], [1]])
    const born = '2014-05-05'
    const row = ['unseen-1', 'Un Seen', '1', born]
    const staged = await planned({ header: [...header, 'date_of_birth'], rows: [row] }, clerk)
    for (const class_id of [2, 3]) {
      const child = { name: 'Un Seen', class_id, date_of_birth: born }
      await school.student(registrar, { admission_number: `unseen by ${class_id}`, ...child })
    }
    assert.equal(await staged.apply(clerk), 'applied')
  })

  it('is planned anew for another account, or with other permissions', async () => {
    const other = await school.person('registrar')
    const staged = await planned({ header, rows: newRows('other', 1) })
    await assert.rejects(staged.apply(other), { code: 'plan_outdated' })
    await staged.plan()
    assert.equal(await staged.apply(other), 'applied')
    const mine = await planned({ header, rows: newRows('granted', 1) }, other)
    await grant(school, other, [['fields.manage'], 'all'])
    await assert.rejects(mine.apply(other), { code: 'plan_outdated' })
  })

  it('asks for the counts where it changes very many students', async () => {
    await (await planned({ header, rows: newRows('many', 120, 12) })).apply(registrar)
    const rows = newRows('many', 120, 11)
    const staged = await planned({ header, rows })
    const { counts } = await staged.row()
    await assert.rejects(staged.apply(registrar), { code: 'threshold_exceeded' })
    await assert.rejects(staged.apply(registrar, { confirm: { ...counts, change: 7 } }), {
      code: 'counts_differ',
    })
    assert.equal(await staged.apply(registrar, { confirm: { change: 120 } }), 'applied')
  })

  it('undoes itself and says why where a row cannot be applied, and keeps what was edited meanwhile', async () => {
    const before = await school.count('students')
    const staged = await planned({ header, rows: newRows('fail', 300) })
    await staged.request(registrar)
    await school.student(registrar, { admission_number: 'fail-250', name: 'Me First' })
    assert.equal(await staged.finish(), 'failed')
    const { failure } = await staged.row()
    assert.equal(failure!.code, 'admission_number_taken')
    assert.equal(await school.count('students'), before + 1)
  })

  it('ends where guardians were put in another order meanwhile: nobody’s e-mail address becomes another’s', async () => {
    const [mother, father] = [
      { name: 'Mo Ther', relation: 'mother' },
      { name: 'Fa Ther', relation: 'father' },
    ]
    const id = await school.student(registrar, {
      ...{ admission_number: 'ordered-1', class_id: 1, guardians: [mother, father] },
    })
    const staged = await planned({
      header: ['admission_number', 'guardian_1_email'],
      rows: [['ordered-1', 'mother@family.example']],
    })
    await staged.request(registrar)
    const body = { guardians: [father, mother] }
    const headers = { 'if-match': '*' }
    await school.send('PATCH', `/api/students/${id}`, { as: registrar, body, headers })
    assert.equal(await staged.finish(), 'failed')
    assert.equal((await staged.row()).failure?.code, 'row_not_applied')
    const { guardians } = (await school.get(`/api/students/${id}`, registrar)).body.data
    assert.deepEqual(
      guardians.map(({ name, email }: { name: string; email: string | null }) => [name, email]),
      [
        ['Fa Ther', null],
        ['Mo Ther', null],
      ],
    )
  })

  it('ends where its account may not import any more, and then leaves nothing', async () => {
    const clerk = await school.person()
    const held = ['students.view', 'students.create', 'students.update', 'students.import'] as const
    await grant(school, clerk, [held, 'all'])
    const staged = await planned({ header, rows: newRows('lost', 3) }, clerk)
    await staged.request(clerk)
    await revokeAll(school, clerk)
    assert.equal(await staged.finish(), 'failed')
    assert.equal((await staged.row()).failure!.code, 'permission_denied')
    assert.equal(await found('lost'), 0)
  })

  it('makes classes, and leaves those that are there', async () => {
    const file: StagedFile = {
      kind: 'classes',
      header: ['label'],
      rows: [['Class 1'], ['Otters'], ['OTTERS'], ['Seals']],
    }
    const staged = await stage(school, registrar, file)
    assert.deepEqual(await staged.plan(), { rows: 4, create: 2, unchanged: 1, refused: 1 })
    assert.equal(await staged.apply(registrar, { refused: 'skip' }), 'applied')
    const { body } = await school.get('/api/classes', registrar)
    assert.equal(body.data.filter(({ label }: { label: string }) => /^(Otters|Seals)$/.test(label)).length, 2)
    assert.equal(await staged.undo(registrar), 'undone')
    assert.ok(!(await school.get('/api/classes', registrar)).text.includes('Otters'))
  })
})

describe('undoing an import', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  it('removes whom it made, and gives changed cells back; what was edited since stays and is listed', async () => {
    const [one, other] = [
      await school.student(registrar, { admission_number: 'u-1', name: 'Un Do', class_id: 1 }),
      await school.student(registrar, { admission_number: 'u-2', name: 'Re Do', class_id: 1 }),
    ]
    const staged = await stage(school, registrar, {
      header: [...header, 'family_name'],
      rows: [
        ['u-1', 'Un Done', '2', 'Done'],
        ['u-2', 'Re Done', '2', 'Done'],
        ['u-3', 'Ne W', '2', 'W'],
        ['u-4', 'Ed Ited', '2', 'Ited'],
      ],
    })
    await staged.plan()
    await staged.apply(registrar)
    const edited = (await school.get('/api/students?search=u-4', registrar)).body.data[0].id
    const patch = (id: number, body: object) =>
      school.send('PATCH', `/api/students/${id}`, { as: registrar, body, headers: { 'if-match': '*' } })
    await patch(other, { name: 'By Hand' })
    await patch(edited, { family_name: 'By Hand' })
    assert.equal(await staged.undo(registrar), 'undone')
    const shown = async (id: number) => (await school.get(`/api/students/${id}`, registrar)).body.data
    const { name, class_id, family_name } = await shown(one)
    assert.deepEqual([name, class_id, family_name], ['Un Do', 1, null])
    const kept = await shown(other)
    assert.deepEqual([kept.name, kept.class_id], ['By Hand', 1])
    assert.equal((await shown(edited)).family_name, 'By Hand')
    assert.equal((await school.get('/api/students?search=u-3', registrar)).body.pagination.total, 0)
    const listed = await staged.rows(registrar, { kept: 'true' })
    assert.deepEqual(
      listed.map(({ row, kept }) => [row, kept]),
      [
        [3, ['name']],
        [5, ['family_name']],
      ],
    )
    await school.student(registrar, { admission_number: 'u-3', name: 'Free Again' })
    const { change_set_id, undo_set_id } = await staged.row()
    const sets = await school.db
      .selectFrom('change_sets')
      .selectAll()
      .where('id', 'in', [change_set_id!, undo_set_id!])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      sets.map(({ undoes, undone_by }) => [undoes, undone_by]),
      [
        [null, undo_set_id],
        [change_set_id, null],
      ],
    )
  })

  it('lists the classes and fields that stay, since somebody uses them', async () => {
    const admin = await school.person('administrator')
    const staged = await stage(school, admin, {
      header: [...header, 'fields.boat'],
      rows: [['st-1', 'Sta Ys', 'Walrosse', 'line 7']],
      newFields: [{ key: 'boat', label: 'Boat' }],
    })
    await staged.plan()
    await staged.apply(admin)
    const classes = (await school.get('/api/classes', admin)).body.data
    const { id } = classes.find(({ label }: { label: string }) => label === 'Walrosse')
    await school.student(registrar, { admission_number: 'st-2', class_id: id, fields: { boat: 'x' } })
    assert.equal(await staged.undo(admin), 'undone')
    const none = { outcome: 'create', outdated: false }
    assert.deepEqual(await staged.rows(registrar, { kept: 'true' }), [
      { ...none, cells: [{ column: 'class', from: null, to: 'Walrosse' }], kept: ['students'] },
      { ...none, cells: [{ column: 'fields.boat', from: null, to: 'Boat' }], kept: ['students'] },
    ])
    assert.equal((await staged.rows(registrar)).length, 1)
    const path = `/api/imports/${staged.id}/rows?kept=true`
    const { body } = await school.get(path, registrar)
    assert.deepEqual([body.pagination.total, body.data[0].row], [2, undefined])
  })

  it('needs for every child what the import needed, or nothing is undone', async () => {
    const staged = await stage(school, registrar, {
      header: [...header, 'date_of_birth'],
      rows: [
        ['n-1', 'Ne Eds', '3', ''],
        ['n-2', 'Ne Eds Too', '4', '2014-03-09'],
      ],
    })
    await staged.plan()
    await staged.apply(registrar)
    const clerk = await school.person()
    const held = ['students.view', 'students.create', 'students.update', 'students.import'] as const
    await grant(school, clerk, [held, 'all'], [['students.sensitive'], [3]])
    await assert.rejects(staged.undo(clerk), { code: 'permission_denied' })
    assert.equal((await school.get('/api/students?search=eds', registrar)).body.pagination.total, 2)
    await grant(school, clerk, [['students.sensitive'], [4]])
    assert.equal(await staged.undo(clerk), 'undone')
    assert.equal((await school.get('/api/students?search=eds', registrar)).body.pagination.total, 0)
  })

  it('takes a child back to no class of which one may not change or see more than now', async () => {
    await school.student(registrar, { name: 'Mo Ved', admission_number: 'moved', class_id: 5 })
    const staged = await stage(school, registrar, { header, rows: [['moved', 'Mo Ved', '6']] })
    await staged.plan()
    await staged.apply(registrar)
    const clerk = await school.person()
    await grant(school, clerk, [['students.view', 'students.update'], [6]])
    await assert.rejects(staged.undo(clerk), { code: 'permission_denied' })
    await revokeAll(school, clerk)
    await grant(school, clerk, [['students.update'], 'all'], [['students.view'], [5]])
    await assert.rejects(staged.undo(clerk), { code: 'permission_denied' })
    await grant(school, clerk, [['students.view'], [6]])
    assert.equal(await staged.undo(clerk), 'undone')
    const [child] = (await school.get('/api/students?search=moved', registrar)).body.data
    assert.equal(child.class_id, 5)
  })

  it('is refused once its rows are erased: a clock that was ahead for a while is enough', async () => {
    const staged = await stage(school, registrar, {
      header: ['name', 'admission_number', 'class_id'],
      rows: [['Er Ased', 'erased-1', '1']],
    })
    await staged.plan()
    assert.equal(await staged.apply(registrar), 'applied')
    school.passSeconds(31 * 86_400)
    while (await write(school.db, {}, (tx) => eraseDue(tx, staged.id, school.now())));
    school.passSeconds(-31 * 86_400)
    await assert.rejects(staged.undo(registrar), { code: 'change_set_not_undoable' })
    assert.equal((await staged.row()).state, 'applied')
  })

  it('is possible for 30 days, and by the import alone', async () => {
    const staged = await stage(school, registrar, { header, rows: newRows('late', 2) })
    await staged.plan()
    await staged.apply(registrar)
    const { change_set_id } = await staged.row()
    const undone = await school.post(`/api/change-sets/${change_set_id}/undo`, undefined, registrar)
    assert.deepEqual([undone.status, undone.body.code], [409, 'change_set_not_undoable'])
    assert.match(undone.body.detail, new RegExp(`POST /api/imports/${staged.id}/undo`))
    const viewer = await school.person('none')
    const hidden = await school.post(`/api/change-sets/${change_set_id}/undo`, undefined, viewer)
    assert.deepEqual([hidden.status, hidden.body.code], [404, 'change_set_not_found'])
    school.passSeconds(31 * 86_400)
    await assert.rejects(staged.undo(registrar), { code: 'change_set_not_undoable' })
    school.passSeconds(-31 * 86_400)
    await staged.undo(registrar)
    const { undo_set_id } = await staged.row()
    const again = await school.post(`/api/change-sets/${undo_set_id}/undo`, undefined, registrar)
    assert.deepEqual([again.status, again.body.code], [409, 'change_set_not_undoable'])
    await assert.rejects(staged.undo(registrar), { code: 'import_state' })
  })
})
