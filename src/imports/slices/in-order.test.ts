import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'
import { nextRows } from './in-order.ts'

describe('rows of an import that are read slice by slice', () => {
  it('come all, each once and in their order, though few places have one; then a slice has several', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    // Every thirtieth row of the file, and one far behind.
    const blanks = (count: number) => '\n'.repeat(count)
    const lines = Array.from({ length: 20 }, (_, i) => `Ada ${i},n${i},Class 1\n${blanks(29)}`)
    const file = `name,admission_number,class\n${lines.join('')}${blanks(500)}Bo,n-last,Class 1\n`
    const { id } = await importer.planned(file)
    const staged = await school.db.selectFrom('import_rows').select('place').orderBy('place').execute()
    const places = staged.map(({ place }) => Number(place))
    assert.equal(places.length, 21)
    assert.equal(places[1]! - places[0]!, 30)
    for (const direction of ['asc', 'desc'] as const) {
      const ordered = { table: 'import_rows', importId: id, columns: ['place'], direction } as const
      const slices: number[][] = []
      for (let from = direction === 'asc' ? -1 : places.at(-1)! + 1; ; ) {
        const rows = await nextRows<{ place: number }>(school.db, ordered, from, 20)
        if (rows.length === 0) break
        slices.push(rows.map(({ place }) => Number(place)))
        from = slices.at(-1)!.at(-1)!
      }
      assert.deepEqual(slices.flat(), direction === 'asc' ? places : places.toReversed())
      assert.ok(slices.length < 10, `${slices.length} slices`)
    }
  })
})
