import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { codePointsOf, isOneApart } from './distance.ts'
import { maxPairs, PairFinder, pairsThat, type SearchedStudent } from './pairs.ts'
import { findSimilar } from './similar-names.ts'

/** Optimal string alignment, by its definition. */
function distance(a: readonly number[], b: readonly number[]): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)])
  for (let j = 1; j <= b.length; j++) d[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = d[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? d[i - 2]![j - 2]! + 1 : replaced
      d[i]![j] = Math.min(d[i - 1]![j]! + 1, d[i]![j - 1]! + 1, replaced, swapped)
    }
  }
  return d[a.length]![b.length]!
}

const short = fc.string({ unit: fc.constantFrom('a', 'b', '王', '𠮷'), maxLength: 6 })
const names = fc.uniqueArray(short, { maxLength: 40 })

describe('two names', () => {
  it('are similar where the distance by its definition is 1, counted in characters', () => {
    fc.assert(
      fc.property(short, short, (one, other) => {
        const [a, b] = [codePointsOf(one), codePointsOf(other)]
        assert.equal(isOneApart(a, b), distance(a, b) === 1)
      }),
      { numRuns: 5_000 },
    )
  })

  it('are found among many just where they are similar, each pair once', () => {
    fc.assert(
      fc.property(names, (names) => {
        const found: string[] = []
        findSimilar(names, { looks: 1_000_000 }, (one, other) => found.push(`${one} ${other}`))
        const codes = names.map(codePointsOf)
        const expected = codes.flatMap((a, i) =>
          codes.flatMap((b, j) => (i < j && distance(a, b) === 1 ? [`${i} ${j}`] : [])),
        )
        assert.deepEqual(found.sort(), expected.sort())
      }),
    )
  })

  it('are looked for no longer when the work is used up', () => {
    const work = { looks: 1_000 }
    const many = Array.from({ length: 5_000 }, (_, i) => `anna ${String.fromCodePoint(0x4e00 + i)}`)
    findSimilar(many, work, () => {})
    assert.equal(work.looks, 0)
  })
})

describe('the pairs', () => {
  const find = (students: readonly SearchedStudent[]) => {
    const finder = new PairFinder()
    finder.add(students)
    return pairsThat(finder.pairs(), () => true).items
  }

  it('are of students with one date, or of students of one class and without', () => {
    const found = find([
      [1, 3, '2014-03-09', 'zoe muller'],
      [2, 4, '2014-03-09', 'zoe muller'],
      [3, 3, '2014-03-10', 'zoe muller'],
      [4, 3, null, 'zoe muller'],
      [5, 3, null, 'zoe muller'],
      [6, 4, null, 'zoe muller'],
      [7, 3, null, 'zoe mullr'],
      [9, 3, '2014-03-09', 'zoe mulelr'],
    ])
    const told = found.map(({ low, high, reason }) => [low, high, reason])
    assert.deepEqual(told, [
      [1, 2, 'same_name_and_date'],
      [1, 9, 'similar_name_and_date'],
      [2, 9, 'similar_name_and_date'],
      [4, 5, 'same_name_and_class'],
    ])
  })

  it('are of names that have ae for ä, oe for ö, ue for ü or aa for å, or a space for a hyphen, in any order', () => {
    const found = find([
      [1, 3, '2014-03-09', 'jorg muller'],
      [2, 3, '2014-03-09', 'joerg mueller'],
      [3, 3, '2014-03-09', 'mueller, joerg'],
      [4, 3, '2014-03-09', 'jorg mueller'],
      [5, 3, '2014-03-10', 'joerg mueller'],
      [6, 4, null, 'soren aberg'],
      [7, 4, null, 'soeren aaberg'],
      [8, 4, null, 'aaberg soren'],
      [9, 5, null, 'al-masri, omar'],
      [10, 5, null, 'omar al masri'],
    ])
    const told = found.map(({ low, high, reason }) => [low, high, reason])
    assert.deepEqual(told, [
      [1, 2, 'similar_name_and_date'],
      [1, 3, 'similar_name_and_date'],
      [1, 4, 'similar_name_and_date'],
      [2, 3, 'same_name_and_date'],
      [2, 4, 'similar_name_and_date'],
      [3, 4, 'similar_name_and_date'],
      [6, 7, 'same_name_and_class'],
      [6, 8, 'same_name_and_class'],
      [7, 8, 'same_name_and_class'],
      [9, 10, 'same_name_and_class'],
    ])
  })

  it('are bounded, whatever a fault of the data makes alike', () => {
    const alike = Array.from(
      { length: 1_000 },
      (_, i): SearchedStudent => [i + 1, 1, '1900-01-01', 'unknown'],
    )
    assert.equal(find(alike).length, (100 * 99) / 2)
    const similar = Array.from(
      { length: 3_000 },
      (_, i): SearchedStudent => [i + 1, 1, '1900-01-01', `anna ${String.fromCodePoint(0x4e00 + i)}`],
    )
    assert.equal(find(similar).length, maxPairs)
  })
})
