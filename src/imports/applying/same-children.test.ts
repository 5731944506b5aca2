import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engine } from '../../../test/engine.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('two imports of the same children that are applied at once', () => {
  it('make each child once, on however many instances', async () => {
    const one = await openSchool()
    const other = engine === 'postgres' ? await openSchool({ databaseUrl: one.databaseUrl }) : one
    const schools = [one, other]
    const idle = async () => {
      for (const { app } of schools) app.importJobs.look()
      for (const { app } of [...schools, ...schools]) await app.importJobs.idle()
    }
    const count = 50
    for (const [day, round] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      const file = (numbers: string) => {
        const name = (i: number) =>
          `Ada ${String.fromCharCode(97 + (i % 26))}${i > 25 ? 'x' : 'y'} Berg-${round}`
        const lines = Array.from(
          { length: count },
          (_, i) => `${name(i)},${numbers}-${round}-${i},Class 1,2014-03-0${day + 1}\n`,
        )
        return `name,admission_number,class,date_of_birth\n${lines.join('')}`
      }
      const importers = [
        new Importer(one, await one.person('registrar'), idle),
        new Importer(other, await one.person('registrar'), idle),
      ] as const
      const plans = [await importers[0].planned(file('x')), await importers[1].planned(file('y'))] as const
      assert.deepEqual(
        plans.map(({ counts }) => counts.create),
        [count, count],
      )
      await Promise.all([importers[0].apply(plans[0]), importers[1].apply(plans[1])])
      const states = [await importers[0].read(plans[0].id), await importers[1].read(plans[1].id)].map(
        ({ state }) => state,
      )
      const { total } = (await one.get(`/api/students?search=berg-${round}`, await one.person('registrar')))
        .body.pagination
      assert.equal(total, count, states.join())
    }
  })
})
