import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { studentRow } from '../../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../../test/school.ts'
import { stage } from '../../../test/staged-imports.ts'
import { write } from '../../events/write.ts'

const [ofClass1, ofClass2] = [550, 150]

describe('an import that changes very many students', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    const rows = Array.from({ length: ofClass1 + ofClass2 }, (_, i) => ({
      ...studentRow('Ada', `t-${i}`),
      class_id: i < ofClass1 ? 1 : 2,
    }))
    await write(school.db, byTest, async (db) => {
      for (let at = 0; at < rows.length; at += 350)
        await db
          .insertInto('students')
          .values(rows.slice(at, at + 350))
          .execute()
    })
  })

  /** Asks for so many students of class 2 to get this name. */
  async function asked(as: Person, count: number, name: string): Promise<void> {
    const rows = Array.from({ length: count }, (_, i) => [`t-${ofClass1 + i}`, name])
    const staged = await stage(school, as, { header: ['admission_number', 'name'], rows, mode: 'update' })
    assert.deepEqual(await staged.plan(), { rows: count, change: count })
    return staged.request(as)
  }

  it('is one that changes more than a tenth of those whom its account may see', async () => {
    await asked(registrar, 70, 'Ada One')
    await assert.rejects(asked(registrar, 71, 'Ada Two'), { code: 'threshold_exceeded' })
  })

  it('is one of more than fifty, for an account that sees few students', async () => {
    const clerk = await personHolding(school, [['students.view', 'students.update', 'students.import'], [2]])
    await asked(clerk, 50, 'Ada Three')
    await assert.rejects(asked(clerk, 51, 'Ada Four'), { code: 'threshold_exceeded' })
  })

  it('counts all whom the account sees, whether it imports for them or not', async () => {
    const work = ['students.update', 'students.import'] as const
    const clerk = await personHolding(school, [['students.view'], 'all'], [work, [2]])
    await asked(clerk, 70, 'Ada Five')
    await assert.rejects(asked(clerk, 71, 'Ada Six'), { code: 'threshold_exceeded' })
  })
})

describe('counts that are given with a request to apply', () => {
  it('are those of the plan, however few it changes: else nothing is applied, and each that differs is named', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const planned = await importer.planned('name,admission_number,class\nAda,c-1,Class 1\nBo,c-2,Class 2\n')
    const other = await importer.apply(planned, { confirm: { create: 999, change: 0, refused: 5 } })
    assert.deepEqual(
      [other.status, other.body.code, other.body.detail],
      [409, 'counts_differ', 'The plan has create=2, and not 999; refused=0, and not 5: look at it again.'],
    )
    assert.deepEqual(
      [(await importer.read(planned.id)).state, await school.count('students')],
      ['planned', 0],
    )
    const { state } = await importer.applied(planned, { confirm: { create: 2, change: 0 } })
    assert.equal(state, 'applied')
  })
})
