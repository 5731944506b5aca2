import { describe, it } from 'node:test'
import fc from 'fast-check'
import { exportsAsListed, listOrders, listTerms } from '../../test/exported-lists.ts'
import { newStudents } from '../../test/exported-students.ts'
import { openSchool } from '../../test/school.ts'

describe('an export of students', () => {
  it('takes any filters and orders of the list, and finds who the list finds', async () => {
    const school = await openSchool()
    const field = { label: 'Clubs', kind: 'several_of', options: ['Oak', 'Elm'] }
    await school.post('/api/fields', field, await school.person('administrator'))
    const registrar = await school.person('registrar')
    for (const [i, body] of fc.sample(newStudents([1, 2]), 60).entries())
      await school.post(
        '/api/students',
        { ...body, fields: { clubs: [i % 2 === 0 ? 'Oak' : 'Elm'] } },
        registrar,
      )
    await fc.assert(
      fc.asyncProperty(fc.subarray(listTerms), fc.constantFrom(...listOrders), async (terms, order) => {
        await exportsAsListed(school, registrar, terms, order)
      }),
      { numRuns: 100 },
    )
  })
})
