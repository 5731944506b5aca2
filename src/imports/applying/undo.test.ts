import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { endings, grant, personHolding, revokeAll } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { byTest, openSchool, type Person, type School } from '../../../test/school.ts'
import { stage, workOf } from '../../../test/staged-imports.ts'
import { write } from '../../events/write.ts'
import { Problem } from '../../problems.ts'
import { applyImport } from './apply.ts'
import { undoImport } from './undo.ts'

const headers = { 'if-match': '*' }

describe('the undo of what an import changed', () => {
  let school: School
  let admin: Person
  let archive: string
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
    const made = []
    for (const [path, body] of [
      ['/api/fields', { key: 'bus', label: 'Bus', kind: 'text' }],
      ['/api/fields', { key: 'hall', label: 'Hall', kind: 'text' }],
      ['/api/classes', { label: 'Closing' }],
    ] as const)
      made.push((await school.post(path, body, admin)).body.data.id)
    archive = `/api/classes/${made[2]}`
  })

  const patch = async (path: string, body: object) => {
    const { status, text } = await school.send('PATCH', path, { as: admin, body, headers })
    assert.equal(status, 200, text)
  }
  const student = (id: number) => `/api/students/${id}`
  const shown = async (id: number) => (await school.get(student(id), admin)).body.data
  const make = (body: object) => school.student(admin, body)
  const systems = (value: string | null) => (value === null ? null : [{ system: 'UPN', value }])

  it('goes by the rules of each cell, however many students go back at once', async () => {
    const closing = Number(archive.split('/').at(-1))
    const parts = { given_name: 'Zoë', family_name: 'Old' }
    const ids: Record<string, number> = {}
    for (const [key, body] of Object.entries({
      plain: { identifiers: systems('r-plain') },
      moved: { class_id: closing },
      numbered: { admission_number: 'r-before' },
      identified: { identifiers: systems('r-first') },
      joined: { ...parts, name: undefined },
      edited: { ...parts, name: undefined },
      field: { fields: { bus: 'one', hall: 'east' } },
    }))
      ids[key] = await make({ name: `Rule ${key}`, admission_number: `r-${key}`, class_id: 1, ...body })
    const columns = ['admission_number', 'class_id', 'address', 'family_name', 'identifiers.UPN']
    const row = (number: string, ...cells: string[]) => [number, ...cells, ...Array(8).fill('')].slice(0, 9)
    const staged = await stage(school, admin, {
      header: [...columns, 'fields.bus', 'fields.hall', 'guardian_1_name', 'name'],
      rows: [
        row('r-plain', '2', 'New Road', '', 'r-other', '', '', 'Mo'),
        row('r-moved', '2', 'New Road'),
        row('r-identified', '', 'New Road', '', 'r-second'),
        row('r-joined', '', '', 'New'),
        row('r-edited', '', '', 'New'),
        row('r-field', '', '', '', '', 'two', 'west'),
        row('r-came', '2', '', '', '', '', '', '', 'Ca Me'),
        row('r-stays', '2', '', '', '', '', '', '', 'Sta Ys'),
      ],
    })
    assert.deepEqual(await staged.plan(), { rows: 8, create: 2, change: 6 })
    assert.equal(await staged.apply(admin), 'applied')

    await patch(archive, { archived: true })
    await make({
      name: 'Has it now',
      class_id: 1,
      admission_number: 'r-has',
      identifiers: systems('r-first'),
    })
    await patch(student(ids.edited!), { family_name: 'By Hand' })
    const [stays] = (await school.get('/api/students?search=r-stays', admin)).body.data
    await patch(student(stays.id), { address: 'By Hand' })
    const fields = (await school.get('/api/fields', admin)).body.data
    const { id: hall } = fields.find(({ key }: { key: string }) => key === 'hall')
    await patch(`/api/fields/${hall}`, { archived: true })

    assert.equal(await staged.undo(admin), 'undone')
    const kept = (await staged.rows(admin, { kept: 'true' })).map(({ row, kept }) => [row, kept])
    assert.deepEqual(kept, [
      [3, ['class_id']],
      [4, ['identifiers']],
      [6, ['name', 'family_name']],
      [7, ['fields.hall']],
      [9, ['address']],
    ])
    const { counts } = await new Importer(school, admin).read(staged.id)
    assert.deepEqual([counts.create, counts.kept_create, counts.change, counts.kept_change], [2, 1, 6, 4])
    const plain = await shown(ids.plain!)
    assert.deepEqual(
      [plain.class_id, plain.address, plain.guardians, plain.identifiers],
      [1, null, null, systems('r-plain')],
    )
    const moved = await shown(ids.moved!)
    assert.deepEqual([moved.class_id, moved.address], [2, null])
    assert.deepEqual((await shown(ids.identified!)).identifiers, systems('r-second'))
    assert.equal((await shown(ids.joined!)).name, 'Zoë Old')
    assert.equal((await shown(ids.edited!)).name, 'Zoë By Hand')
    assert.equal((await shown(ids.field!)).fields.bus, 'one')
    assert.equal((await school.get('/api/students?search=r-came', admin)).body.pagination.total, 0)
    assert.equal((await school.get('/api/students?guardian=Mo', admin)).body.pagination.total, 0)
    const [entry, before] = (await school.get(`${student(ids.plain!)}/history`, admin)).body.data
    assert.deepEqual([entry.kind, entry.note], ['undo', `of import ${staged.id}`])
    assert.deepEqual(before.import, { id: staged.id, row: 2, sheet: 1 })
    const told = entry.changes.find(({ field }: { field: string }) => field === 'address')
    assert.deepEqual(told, { field: 'address', from: 'New Road', to: null })

    const undone: unknown[] = []
    for (const id of [ids.plain!, ids.moved!, ids.edited!, ids.joined!, ids.field!, stays.id]) {
      const { data } = (await school.get(`${student(id)}/history`, admin)).body
      undone.push(data.find((one: { import?: object }) => one.import !== undefined).undone)
    }
    assert.deepEqual(undone, ['all', 'some', 'none', 'all', 'some', 'none'])
  })

  it('gives numbers back, and leaves one that another student has by now', async () => {
    const own = await make({ name: 'Nu Own', admission_number: 'n-1', identifiers: systems('n-own') })
    const lost = await make({ name: 'Nu Lost', admission_number: 'n-2', identifiers: systems('n-lost') })
    const staged = await stage(school, admin, {
      settings: { match: 'identifiers.UPN' },
      header: ['identifiers.UPN', 'admission_number', 'address'],
      rows: [
        ['n-own', 'n-3', 'New Road'],
        ['n-lost', 'n-4', 'New Road'],
      ],
    })
    assert.deepEqual(await staged.plan(), { rows: 2, change: 2 })
    assert.equal(await staged.apply(admin), 'applied')
    await make({ name: 'Nu Has It', admission_number: 'n-2' })
    assert.equal(await staged.undo(admin), 'undone')
    const numbers = [await shown(own), await shown(lost)].map((one) => [one.admission_number, one.address])
    assert.deepEqual(numbers, [
      ['n-1', null],
      ['n-4', null],
    ])
    await make({ name: 'Nu New', admission_number: 'n-3' })
  })

  it('tells of how many rows something stayed where the import ends by itself, too', async () => {
    const last = await make({ name: 'En Ds', admission_number: 'e-149', class_id: 1 })
    const staged = await stage(school, admin, {
      header: ['name', 'admission_number', 'class_id', 'address'],
      rows: [
        ...Array.from({ length: 149 }, (_, i) => [`Kid ${i}`, `e-${i}`, '1', '']),
        ['', 'e-149', '', 'New Road'],
      ],
    })
    assert.deepEqual(await staged.plan(), { rows: 150, create: 149, change: 1 })
    await staged.request(admin)
    let isEdited = false
    const beat = async () => {
      if (isEdited) return
      isEdited = true
      const [kid] = (await school.get('/api/students?search=e-0', admin)).body.data
      for (const id of [kid.id, last]) await patch(student(id), { address: 'By Hand' })
    }
    await applyImport(await staged.row(), { ...workOf(school), beat })
    assert.equal(await staged.finish(), 'failed')
    const { counts, failure } = await new Importer(school, admin).read(staged.id)
    assert.deepEqual(
      [failure.code, counts.kept_create, counts.kept_change, counts.create],
      ['row_not_applied', 1, 0, 149],
    )
    const kept = await staged.rows(admin, { kept: 'true' })
    assert.deepEqual(
      kept.map(({ row, kept }) => [row, kept]),
      [[2, ['address']]],
    )
  })

  it('gives no value of another import back that was taken back since, but where that made the child', async () => {
    const kid = await make({ name: 'La Ter', admission_number: 'l-1', class_id: 1, address: 'Old Road' })
    const imported = async (rows: string[][]) => {
      const header = ['admission_number', 'name', 'class_id', 'address']
      const staged = await stage(school, admin, { header, rows })
      await staged.plan()
      assert.equal(await staged.apply(admin), 'applied')
      return staged
    }
    const first = await imported([
      ['l-1', '', '', 'Wrong Road'],
      ['l-2', 'Ca Me', '1', 'First Road'],
      ['l-3', 'Go Es', '1', ''],
    ])
    const second = await imported(['l-1', 'l-2'].map((number) => [number, '', '', 'Second Road']))
    const [came] = (await school.get('/api/students?search=l-2', admin)).body.data
    assert.equal(await first.undo(admin), 'undone')
    assert.equal(await second.undo(admin), 'undone')
    assert.equal((await shown(kid)).address, 'Old Road')
    assert.equal((await shown(came.id)).address, 'First Road')
  })

  it('takes the class that it made, where another import put children there and was taken back before', async () => {
    const kid = await make({ name: 'Ka Lue', admission_number: 'k-1', class_id: 1 })
    const classes = async () => (await school.get('/api/classes', admin)).body.data
    const before = (await classes()).length
    const imported = async (rows: string[][]) => {
      const staged = await stage(school, admin, { header: ['admission_number', 'name', 'class_id'], rows })
      await staged.plan()
      assert.equal(await staged.apply(admin), 'applied')
      return staged
    }
    const first = await imported([['k-2', 'New Kid', 'Fresh']])
    const fresh = String((await classes()).at(-1).id)
    const second = await imported([
      ['k-1', '', fresh],
      ['k-3', 'Last Kid', fresh],
    ])
    assert.equal(await second.undo(admin), 'undone')
    assert.equal(await first.undo(admin), 'undone')
    assert.deepEqual([(await classes()).length, (await shown(kid)).class_id], [before, 1])
    assert.deepEqual(await first.rows(admin, { kept: 'true' }), [])
  })

  it('is refused where it changed nothing: there is nothing to take back', async () => {
    const importer = new Importer(school, admin)
    await make({ name: 'No Thing', admission_number: 'nothing-1', class_id: 2 })
    const file = 'Name,Admission number,Class\nNo Thing,nothing-1,Class 2\n'
    const applied = await importer.applied(await importer.planned(file))
    assert.deepEqual([applied.state, applied.change_set_id], ['applied', null])
    const { status, body } = await importer.undo(applied.id)
    assert.deepEqual([status, body.code], [409, 'change_set_not_undoable'])
    assert.equal(body.detail, 'The import changed nothing: there is nothing to take back.')
    assert.equal((await importer.read(applied.id)).state, 'applied')
  })

  it('is denied to an account that is disabled at that moment', async () => {
    const clerk = await school.person('registrar')
    const staged = await stage(school, clerk, {
      header: ['name', 'admission_number', 'class_id'],
      rows: [['Dis Abled', 'd-1', '1']],
    })
    await staged.plan()
    assert.equal(await staged.apply(clerk), 'applied')
    await write(school.db, byTest, (tx) => endings['is disabled']!.end(tx, clerk))
    await assert.rejects(staged.requestUndo(clerk), { code: 'permission_denied' })
  })

  it('is tried once alone where it fails for anything but a number, an identifier or a class', async () => {
    const staged = await stage(school, admin, {
      header: ['name', 'admission_number', 'class_id'],
      rows: [['On Ce', 'once-1', '1']],
    })
    await staged.plan()
    assert.equal(await staged.apply(admin), 'applied')
    await staged.requestUndo(admin)
    let tries = 0
    const hold = async () => {
      tries++
      throw new Problem('import_state', 'It is in another state.')
    }
    const row = await staged.row()
    await assert.rejects(undoImport(row, { ...workOf(school), hold }), { code: 'import_state' })
    assert.equal(tries, 1)
    assert.equal(await staged.finish(), 'undone')
  })

  it('leaves and lists the children of a class that the account may not change any more', async () => {
    const held = ['students.view', 'students.create', 'students.update', 'students.sensitive'] as const
    const clerk = await personHolding(school, [[...held, 'students.import'], 'all'])
    const ids = []
    for (const class_id of [3, 4, 5])
      ids.push(await make({ name: `Per Mit ${class_id}`, admission_number: `p-${class_id}`, class_id }))
    const staged = await stage(school, clerk, {
      header: ['admission_number', 'address'],
      rows: [3, 4, 5].map((one) => [`p-${one}`, 'New Road']),
    })
    await staged.plan()
    assert.equal(await staged.apply(clerk), 'applied')
    await staged.requestUndo(clerk)
    await revokeAll(school, clerk)
    await grant(school, clerk, [held, [3]], [['students.view', 'students.update'], [5]])
    assert.equal(await staged.finish(), 'undone')
    const addresses = []
    for (const id of ids) addresses.push((await shown(id)).address)
    assert.deepEqual(addresses, [null, 'New Road', 'New Road'])
    const kept = (await staged.rows(admin, { kept: 'true' })).map(({ row, kept }) => [row, kept])
    assert.deepEqual(kept, [
      [3, ['address']],
      [4, ['address']],
    ])
  })
})
