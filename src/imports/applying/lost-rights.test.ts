import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, type Holding, personHolding, revokeAll } from '../../../test/grants.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { type StagedFile, stage, workOf } from '../../../test/staged-imports.ts'
import type { Permission } from '../../access/permissions.ts'
import { applyImport } from './apply.ts'

const header = ['admission_number', 'name', 'class_id']
const importing: readonly Permission[] = [
  'students.view',
  'students.create',
  'students.update',
  'students.import',
]

describe('an import whose account may do less by the time that it is done', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const found = async (search: string) =>
    (await school.get(`/api/students?search=${search}`, registrar)).body.pagination.total

  /** Has a file applied by an account that holds so much, and so much less once that is asked for. */
  async function applied(file: StagedFile, held: readonly Holding[], left: readonly Holding[]) {
    const clerk = await personHolding(school, ...held)
    const staged = await stage(school, clerk, file)
    await staged.plan()
    await staged.request(clerk)
    await revokeAll(school, clerk)
    await grant(school, clerk, ...left)
    const state = await staged.finish()
    return [state, (await staged.row()).failure?.code]
  }

  /** Has 300 students made, whom it loses the right to make once the first of them are there. */
  async function appliedInPart(number: string, classOf: (row: number) => number, left: readonly Holding[]) {
    const clerk = await personHolding(school, [importing, 'all'])
    const rows = Array.from({ length: 300 }, (_, i) => [`${number}-${i}`, 'Pa Rt', String(classOf(i))])
    const staged = await stage(school, clerk, { header, rows })
    assert.deepEqual(await staged.plan(), { rows: 300, create: 300 })
    await staged.request(clerk)
    let had: number | undefined
    const beat = async () => {
      had ??= await found(number)
      await revokeAll(school, clerk)
      await grant(school, clerk, ...left)
    }
    await applyImport(await staged.row(), { ...workOf(school), beat })
    assert.ok(had! > 0 && had! < 150, `${had} were made`)
    assert.equal(await found(number), had, 'some were made afterwards')
    const { state, failure } = await staged.row()
    return [state, failure?.code, await staged.finish(), await found(number)]
  }

  it('does no more of it than what was done by then, though the next rows are read already', async () => {
    const seen: readonly Permission[] = ['students.view', 'students.create', 'students.update']
    const end = await appliedInPart('part', () => 1, [[seen, 'all']])
    assert.deepEqual(end, ['undoing', 'permission_denied', 'failed', 0])
  })

  it('makes nobody of a class that it is not for any more, though the next rows are read already', async () => {
    const end = await appliedInPart('small', (row) => (row < 150 ? 1 : 2), [[importing, [2]]])
    assert.deepEqual(end, ['undoing', 'row_not_applied', 'failed', 0])
  })

  it('makes no student of a class that it is not for any more', async () => {
    const file = {
      header,
      rows: [
        ['lost-1', 'Lo St', '1'],
        ['lost-2', 'Lo St', '2'],
      ],
    }
    const end = await applied(file, [[importing, 'all']], [[importing, [1]]])
    assert.deepEqual([...end, await found('lost')], ['failed', 'row_not_applied', 0])
  })

  it('writes nothing sensitive that it may not write any more', async () => {
    const file = { header: [...header, 'date_of_birth'], rows: [['sens-1', 'Se Ns', '1', '2014-03-09']] }
    const held: Holding[] = [[[...importing, 'students.sensitive'], 'all']]
    const end = await applied(file, held, [[importing, 'all']])
    assert.deepEqual([...end, await found('sens')], ['failed', 'row_not_applied', 0])
  })

  it('takes no child to a class of which it sees more than where the child is', async () => {
    const id = await school.student(registrar, { admission_number: 'more-1', name: 'Mo Re', class_id: 5 })
    const file = { header, rows: [['more-1', 'Mo Re', '6']] }
    const blind = importing.filter((one) => one !== 'students.view')
    const end = await applied(
      file,
      [[importing, 'all']],
      [
        [blind, 'all'],
        [['students.view'], [6]],
      ],
    )
    const { class_id } = (await school.get(`/api/students/${id}`, registrar)).body.data
    assert.deepEqual([...end, class_id], ['failed', 'permission_denied', 5])
  })

  for (const [permission, inClass, file] of [
    ['classes.manage', 'Lost Class', {}],
    ['fields.manage', '1', { newFields: [{ key: 'lost', label: 'Lost' }] }],
  ] as const)
    it(`makes nothing that takes ${permission}`, async () => {
      const rows = [['made-1', 'Ma De', inClass]]
      const held: Holding[] = [[[...importing, permission], 'all']]
      const end = await applied({ header, rows, ...file }, held, [[importing, 'all']])
      assert.deepEqual([...end, await found('made')], ['failed', 'permission_denied', 0])
      const [classes, fields] = [
        await school.get('/api/classes', registrar),
        await school.get('/api/fields', registrar),
      ]
      assert.ok(!`${classes.text}${fields.text}`.includes('Lost'))
    })

  for (const [permission, inClass, file] of [
    ['classes.manage', 'Undo Class', {}],
    ['fields.manage', '1', { newFields: [{ key: 'undone', label: 'Undo Field' }] }],
  ] as const)
    it(`is not undone without ${permission} where it made what takes that`, async () => {
      const admin = await school.person('administrator')
      const staged = await stage(school, admin, {
        header,
        rows: [[`${permission}-1`, 'Un Do', inClass]],
        ...file,
      })
      await staged.plan()
      await staged.apply(admin)
      const clerk = await personHolding(school, [importing, 'all'])
      await assert.rejects(staged.undo(clerk), { code: 'permission_denied' })
      assert.equal(await found(`${permission}-1`), 1)
      await grant(school, clerk, [[permission], 'all'])
      assert.equal(await staged.undo(clerk), 'undone')
    })

  it('is not undone without students.sensitive where it wrote what takes that', async () => {
    const admin = await school.person('administrator')
    await school.student(registrar, { admission_number: 'born-1', name: 'Bo Rn', class_id: 1 })
    const rows = [['born-1', '2014-03-09']]
    const staged = await stage(school, admin, { header: ['admission_number', 'date_of_birth'], rows })
    await staged.plan()
    await staged.apply(admin)
    const clerk = await personHolding(school, [importing, 'all'])
    await assert.rejects(staged.requestUndo(clerk), { code: 'permission_denied' })
    assert.equal((await staged.row()).state, 'applied')
    await grant(school, clerk, [['students.sensitive'], 'all'])
    assert.equal(await staged.undo(clerk), 'undone')
  })

  it('keeps the class and the field that it made where its undo may not take them by then, and lists them', async () => {
    const admin = await school.person('administrator')
    const makes: readonly Permission[] = ['classes.manage', 'classes.view', 'fields.manage']
    const clerk = await personHolding(school, [[...importing, ...makes], 'all'])
    const staged = await stage(school, clerk, {
      header,
      rows: [['kept-1', 'Ke Pt', 'Kept Class']],
      newFields: [{ key: 'kept', label: 'Kept Field' }],
    })
    await staged.plan()
    await staged.apply(clerk)
    await staged.requestUndo(clerk)
    await revokeAll(school, clerk)
    await grant(school, clerk, [[...importing, 'classes.view'], 'all'])
    assert.equal(await staged.finish(), 'undone')
    assert.equal(await found('kept'), 0)
    const kept = (await staged.rows(admin, { kept: 'true' })).map(({ cells }) =>
      cells.map(({ column, to }) => [column, to]),
    )
    assert.deepEqual(kept.flat().sort(), [
      ['class', 'Kept Class'],
      ['fields.kept', 'Kept Field'],
    ])
  })
})
