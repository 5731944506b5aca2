import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { type StagedImport, stage, workOf } from '../../../test/staged-imports.ts'
import { undoImport } from './undo.ts'

describe('an undo, where other changes of the same student were undone', () => {
  let school: School
  let admin: Person
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
  })

  async function imported(column: string, number: string, value: string): Promise<StagedImport> {
    const header = ['admission_number', column]
    const staged = await stage(school, admin, { header, rows: [[number, value]] })
    await staged.plan()
    assert.equal(await staged.apply(admin), 'applied')
    return staged
  }

  const read = async (id: number) => (await school.get(`/api/students/${id}`, admin)).body.data

  async function edit(id: number, body: object): Promise<number> {
    const headers = { 'if-match': '*' }
    const { status } = await school.send('PATCH', `/api/students/${id}`, { as: admin, body, headers })
    assert.equal(status, 200)
    return (await school.get(`/api/students/${id}/history`, admin)).body.data[0].change_set_id
  }

  const undo = async (changeSet: number) =>
    (await school.post(`/api/change-sets/${changeSet}/undo`, undefined, admin)).body

  it('gives back no value of an import that was undone, whatever was undone between', async () => {
    const id = await school.student(admin, { admission_number: 'S-1' })
    const first = await imported('address', 'S-1', '1 First Street')
    await (await imported('address', 'S-1', '2 Second Street')).undo(admin)
    const third = await imported('address', 'S-1', '3 Third Street')
    await first.undo(admin)
    assert.equal((await read(id)).address, '3 Third Street')
    await third.undo(admin)
    assert.equal((await read(id)).address, null)
  })

  it('gives back what was undone and brought again', async () => {
    const id = await school.student(admin, { admission_number: 'S-2' })
    const first = await imported('address', 'S-2', '1 First Street')
    const second = await edit(id, { address: '2 Second Street' })
    const undone = (await undo(second)).data.change_set_id
    await undo(undone)
    const third = await edit(id, { address: '3 Third Street' })
    await first.undo(admin)
    await undo(third)
    assert.equal((await read(id)).address, '2 Second Street')
  })

  it('counts a change as undone whose undo was undone and brought again', async () => {
    const id = await school.student(admin, { admission_number: 'S-3' })
    await edit(id, { address: 'Old' })
    const changed = await edit(id, { address: 'New' })
    const undone = (await undo(changed)).data.change_set_id
    const again = (await undo(undone)).data.change_set_id
    assert.equal((await read(id)).address, 'New')
    await undo(again)
    assert.equal((await read(id)).address, 'Old')
    assert.equal((await undo(changed)).code, 'change_set_undone')
    await undo(undone)
    assert.equal((await read(id)).address, 'New')
  })

  it('gives back no value of an import that is being undone', async () => {
    const id = await school.student(admin, { admission_number: 'S-4' })
    await edit(id, { address: 'Old' })
    const many = Array.from({ length: 150 }, (_, i) => [`new-${i}`, `Ada ${i}`, '1', ''])
    const header = ['admission_number', 'name', 'class_id', 'address']
    const first = await stage(school, admin, { header, rows: [...many, ['S-4', '', '', 'First']] })
    await first.plan()
    await first.apply(admin)
    const second = await imported('address', 'S-4', 'Second')
    await first.requestUndo(admin)
    let slices = 0
    const beat = async () => {
      if (slices++ === 0) assert.equal(await second.undo(admin), 'undone') // the student is in the first slice
    }
    await undoImport(await first.row(), { ...workOf(school), beat })
    assert.ok(slices > 1)
    assert.equal((await read(id)).address, 'Old')
  })

  it('has a name joined again, though the earlier import was undone first', async () => {
    const student = { admission_number: 'S-5', given_name: 'Zoe', family_name: 'Old', class_id: 1 }
    const { id } = (await school.post('/api/students', student, admin)).body.data
    const first = await imported('name', 'S-5', 'First Wrong')
    const second = await imported('name', 'S-5', 'Second Wrong')
    await first.undo(admin)
    await second.undo(admin)
    await edit(id, { family_name: 'New' })
    assert.equal((await read(id)).name, 'Zoe New')
    const { name_joined } = await school.db
      .selectFrom('students')
      .select('name_joined')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(name_joined, 1)
  })

  it('tells of nothing that stays where all of the change went back', async () => {
    const student = { admission_number: 'S-6', given_name: 'Zoe', family_name: 'Old', class_id: 1 }
    const { id } = (await school.post('/api/students', student, admin)).body.data
    await undo(await edit(id, { name: 'Somebody Else' }))
    const { data } = await undo(await edit(id, { family_name: 'New' }))
    assert.deepEqual([data.undone.length, data.kept], [1, []])
    assert.equal((await read(id)).name, 'Zoe Old')
  })
})
