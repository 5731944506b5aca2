// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Candidate, NearFinder, type NearStudent } from './near.ts'

const all = { students: null, dates: null }
const born = '2014-03-09'

const row = (place: number, foldedName: string): Candidate => ({
  ...{ place, number: null, foldedName, dateOfBirth: born, classId: 1 },
})

const student = (id: number, name: string): NearStudent => [id, 1, born, name, `n${id}`]

describe('the search for students whom rows may be', () => {
  it('says when names were left out, since too many were born on one day', () => {
    const finder = new NearFinder(all, 4)
    finder.addRows([row(2, 'anna nord'), row(3, 'bo west')])
    finder.addStudent(student(1, 'anna nort'))
    finder.addStudent(student(2, 'bo west'))
    assert.equal(finder.found().isWhole, true)
    finder.addStudent(student(3, 'bo wests'))
    finder.addStudent(student(4, 'anna nord'))
    const { near, isWhole } = finder.found()
    assert.equal(isWhole, false)
    assert.deepEqual(
      near.map(({ place, reason, ids }) => [place, reason, ids]),
      [
        [2, 'same_name_and_date', [4]],
        [2, 'similar_name_and_date', [1]],
        [3, 'same_name_and_date', [2]],
      ],
    )
  })

  it('tells twenty students of a row, however many rows and students are alike', () => {
    const finder = new NearFinder(all)
    const count = 3_000
    finder.addRows(Array.from({ length: count }, (_, i) => row(i, 'anna nord')))
    for (let id = 1; id <= count; id++) finder.addStudent(student(id, 'anna nord'))
    const { near, twins } = finder.found()
    assert.deepEqual([near.length, twins.length], [count, count])
    assert.ok(near.every(({ ids }) => ids.length === 20))
  })

  it('tells twenty of those with another date of birth too, and none twice', () => {
    const finder = new NearFinder(all)
    finder.addRows([row(2, 'anna nord'), { ...row(3, 'anna nord'), dateOfBirth: '2014-03-10' }])
    for (let id = 1; id <= 30; id++) finder.addStudent(student(id, 'anna nord'))
    assert.deepEqual(
      finder.found().near.map(({ place, reason, ids }) => [place, reason, ids.length]),
      [
        [2, 'same_name_and_date', 20],
        [3, 'same_name_and_class_other_date', 20],
      ],
    )
  })
})
