import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { stage, workOf } from '../../../test/staged-imports.ts'
import { LeaseLostError } from '../leases.ts'
import { applyImport } from './apply.ts'

describe('a class that an import is answered to make', () => {
  let school: School
  let admin: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    admin = await school.person('administrator')
    importer = new Importer(school, admin)
  })

  const labels = async (): Promise<string[]> =>
    (await school.get('/api/classes', admin)).body.data.map(({ label }: { label: string }) => label)

  /** Sends rows, and answers `create` to each class. */
  async function planned(...rows: readonly string[]) {
    const file = ['name,admission_number,class,date_of_birth', ...rows, ''].join('\n')
    const asking = await importer.read(await importer.send(file))
    const keys: string[] = asking.questions.map(({ key }: { key: string }) => key)
    const answers = keys.filter((key) => key.startsWith('class.')).map((key) => [key, 'create'])
    return importer.continued(asking, { answers: Object.fromEntries(answers) })
  }

  it('is made for a row that is applied, and not for rows that are refused or left out', async () => {
    await school.student(admin, { name: 'Out By Hand', admission_number: '0701' })
    const before = await labels()
    const asked = await planned(
      'Go Od,n-1,7X,',
      'Fa Ulty,n-2,7Y,no day',
      'Out By Hand,701,7Z,',
      'Al So,n-3,7x,',
    )
    const decisions = [{ row: 4, decision: 'leave_out' }]
    const settled = await importer.continued(asked, { decisions })
    const { create, refused, left_out } = settled.counts
    assert.deepEqual([create, refused, left_out], [2, 1, 1])
    const { state } = await importer.applied(settled, { refused: 'skip' })
    assert.equal(state, 'applied')
    assert.deepEqual(await labels(), [...before, '7X'])
    assert.equal((await importer.undone(settled.id)).state, 'undone')
    assert.deepEqual(await labels(), before)
  })

  it('is not made where no row is applied: nothing is changed', async () => {
    const before = await labels()
    const refused = await planned('Fa Ulty,n-4,7Y,no day')
    const { state, change_set_id } = await importer.applied(refused, { refused: 'skip' })
    assert.deepEqual([state, change_set_id], ['applied', null])
    assert.deepEqual(await labels(), before)
  })

  it('is one class though it is renamed amid the work, also where another instance goes on', async () => {
    const rows = Array.from({ length: 400 }, (_, i) => [`Ki D${i}`, `r-${i}`, '8X'])
    const staged = await stage(school, admin, { header: ['name', 'admission_number', 'class_id'], rows })
    await staged.plan()
    await staged.request(admin)
    const classes = async () => (await school.get('/api/classes', admin)).body.data
    let made: { id: number; label: string } | undefined
    /** Renames it after the first slice, and ends the work after the second. */
    const beat = async () => {
      if (made !== undefined) throw new LeaseLostError('another instance has it')
      made = (await classes()).find(({ label }: { label: string }) => label === '8X')
      const change = { as: admin, body: { label: '8 Ex' }, headers: { 'if-match': '*' } }
      assert.equal((await school.send('PATCH', `/api/classes/${made!.id}`, change)).status, 200)
    }
    await assert.rejects(applyImport(await staged.row(), { ...workOf(school), beat }), LeaseLostError)
    assert.equal(await staged.finish(), 'applied')
    const [{ id, label, students }, ...others] = (await classes()).slice(-1)
    assert.deepEqual([id, label, students, others.length], [made!.id, '8 Ex', 400, 0])
  })
})
