import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSchool } from '../../../test/school.ts'
import { authorityOf } from './basis.ts'
import type { Candidate } from './near.ts'
import { NearSearch } from './near-search.ts'

describe('the search for students whom rows may be', () => {
  it('finds the same in a thread as without', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const born = '2014-03-09'
    const child = { class_id: 1, date_of_birth: born }
    for (const name of ['Anna Nord', 'Anna Nort', 'Bo West'])
      await school.student(registrar, { name, ...child })
    const rows = ['anna nord', 'nord anna', 'cy ost'].map(
      (foldedName, i): Candidate => ({
        ...{ place: i + 2, number: `n-${i}`, foldedName, dateOfBirth: born, classId: 1 },
      }),
    )
    const authority = (await authorityOf(school.db, undefined))!
    const found = []
    for (const compared of [0, Infinity]) {
      await using search = new NearSearch(school.db, authority, compared)
      await search.addRows(rows.slice(0, 2))
      await search.addRows(rows.slice(2))
      found.push(await search.found(async () => {}))
    }
    const [here, inThread] = found
    assert.deepEqual(here, inThread)
    assert.deepEqual(
      here!.near.map(({ place, reason, ids }) => [place, reason, ids]),
      [
        [2, 'same_name_and_date', [1]],
        [2, 'similar_name_and_date', [2]],
        [3, 'same_name_and_date', [1]],
      ],
    )
    assert.deepEqual(
      here!.twins.map(({ place }) => place),
      [2, 3],
    )
  })
})
