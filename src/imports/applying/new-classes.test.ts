import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

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
})
