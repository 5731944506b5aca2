import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { insertStudents, studentRow } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { isFoundBy, type Searchable, searchable } from '../../test/search-model.ts'
import { write } from '../events/write.ts'

/*
 * Searches that an index of tokens may get wrong, against the model: words as long as its longest token and
 * longer, that differ beyond it; every kind of ASCII punctuation; the words of its query language.
 */

const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const letters = ['a', 'b', 'z', 'é', '7', '李', '𠮷', '𑀅', '𐐨', 'ש', '👩']
const operators = ['AND', 'OR', 'NOT', 'NEAR', 'NEAR(a', 'words', 'words:ab', '{words}', 'rank', '+', '^ab']
/** Words of 31 to 40 letters, of one byte and of four, alike in their first 32. */
const longWords = ['abcdefgh'.repeat(4), '𑀅𐐨z'.repeat(11)].flatMap((text) => {
  const first = [...text].slice(0, 32).join('')
  return [
    [...first].slice(0, 31).join(''),
    first,
    ...['a', 'b', 'ab', '"', 'a*', 'bcdefgha'].map((end) => first + end),
  ]
})

/** Words with a digit among their first six or eight letters or after them, alike at both ends and not between. */
const numbers = [
  'gs-2014-000123',
  'gs-2014-0001239',
  'gs-2014-100123',
  '12345678a12345678',
  '12345678b12345678',
  '1234567812345678',
  'abcdefgh9',
  'abcdefg9hijklmnop',
  'abcdefghijk9lmnop',
  '李2李2李2李2李2李',
  '2015/0042',
  '2015/10042',
  'a-17-0009',
  '12345a12345',
  '12345ab12345',
  '-abcd7efgh',
  '-abcde7fgh',
  '-abcdef7gh',
  'schoolcode-2014-000123',
]

/** Admission numbers that begin alike, or do so until they are folded; the last two have that inside. */
const ownNumbers = [
  'GS-2019-100001',
  'gs-2019-100002',
  'gs-2019-10É',
  'gs-2019-1\u0301',
  `${'か'.repeat(33)}\u200d\u3099`,
  `${'か'.repeat(33)}2`,
  'gs-2019-10 gs-2018-7',
  'gs-2019-1000011',
  'xgs-2019-10',
  '2019-gs-2019-1',
]

/** Words without a digit, alike at both ends and not between, and two that look like one. */
const endsAlike = [
  'maximiliane',
  'maximoviliane',
  'maxim%iliane',
  'maxim_liane',
  'maxim liliane',
  'maximiane',
]

const letter = fc.constantFrom(...letters)
const mark = fc.constantFrom(...punctuation)
const shortWord = fc.string({ unit: fc.oneof(letter, letter, mark), minLength: 1, maxLength: 4 })
const word = fc.oneof(
  { weight: 4, arbitrary: shortWord },
  { weight: 2, arbitrary: fc.string({ unit: mark, minLength: 1, maxLength: 5 }) },
  { weight: 2, arbitrary: fc.constantFrom(...longWords) },
  { weight: 1, arbitrary: fc.constantFrom(...operators) },
  { weight: 1, arbitrary: fc.constantFrom(...numbers) },
)
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))

const sample = <Value>(values: fc.Arbitrary<Value>, count: number, seed: number) =>
  fc.sample(values, { numRuns: count, seed })

describe('GET /api/students?search=, by the letter', () => {
  const names = [
    ...sample(name, 500, 1),
    ...longWords,
    ...numbers,
    ...endsAlike,
    ...operators,
    ...punctuation,
  ]
  const stored = names.flatMap((name) => name.split(' '))
  const students = [
    ...names.map((name, i): [string, string] => [name, `${i + 1}`]),
    ...ownNumbers.map((number): [string, string] => ['zz', number]),
    ['gs-2019-100001', 'in a name'] as const,
  ]
  const texts: Searchable[][] = students.map((texts) => texts.map(searchable))
  let school: School
  let viewer: Person
  before(async () => {
    school = await openSchool()
    viewer = await school.person('viewer')
    await insertStudents(school.db, names)
    const rows = students.slice(names.length).map(([name, number]) => studentRow(name, number))
    await write(school.db, byTest, (db) => db.insertInto('students').values(rows).execute())
  })

  async function check(search: string): Promise<number> {
    const url = `/api/students?per_page=1000&search=${encodeURIComponent(search)}`
    const { status, body, text } = await school.get(url, viewer)
    const said = `search: ${JSON.stringify(search)}`
    assert.equal(status, 200, `${said}: ${text}`)
    const expected = texts.flatMap((texts, i) => (isFoundBy(search, texts) ? [i + 1] : []))
    assert.deepEqual(
      body.data.map(({ id }: { id: number }) => id),
      expected,
      said,
    )
    assert.equal(body.pagination.total, expected.length, said)
    const first = await school.get(`/api/students?per_page=1&search=${encodeURIComponent(search)}`, viewer)
    assert.equal(first.body.pagination.total, expected.length, `${said}, counted`)
    return expected.length
  }

  /** @returns how many of the searches find somebody */
  async function checkAll(searches: Iterable<string>): Promise<number> {
    const counts = []
    for (const search of new Set(searches)) counts.push(await check(search))
    return counts.filter((count) => count > 0).length
  }

  it('finds each punctuation mark: alone at the start of nothing, in words, doubled and trebled', async () => {
    const marks = [...punctuation]
    const around = marks.flatMap((mark) => [
      mark,
      mark + mark,
      mark.repeat(3),
      `a${mark}`,
      `${mark}a`,
      `a${mark}b`,
    ])
    await checkAll(around)
    const inWords = stored.filter((word) => /^[ -~]{3,5}$/.test(word))
    assert.equal(await checkAll(inWords), new Set(inWords).size)
  })

  it('tells long words apart beyond their 32nd letter, whole and in parts', async () => {
    assert.ok((await checkAll(longWords)) >= longWords.length - 1)
    const parts = longWords.flatMap((word) => {
      const letters = [...word]
      return [1, 2, 7, 8].flatMap((from) =>
        [31, 32, 33, 40].map((length) => letters.slice(from, from + length).join('')),
      )
    })
    await checkAll(parts)
    await checkAll(
      longWords.flatMap((word) => [
        `${word}x`,
        `x${word}`,
        `${word} a`,
        `${word} ${[...word].slice(1).join('')}`,
      ]),
    )
  })

  it('tells words apart between their ends, whole and in parts', async () => {
    assert.equal(await checkAll(endsAlike), endsAlike.length)
    const parts = endsAlike.flatMap((word) => [word.slice(1), word.slice(0, -1), `${word}x`])
    assert.ok((await checkAll(parts)) >= endsAlike.length)
  })

  it('tells numbers apart between their ends, whole and in parts', async () => {
    assert.equal(await checkAll(numbers), numbers.length)
    const parts = numbers.flatMap((number) => {
      const letters = [...number]
      return letters.flatMap((_, from) =>
        [3, 7, 8, 9, 10, 12].map((length) => letters.slice(from, from + length).join('')),
      )
    })
    await checkAll(parts)
    const strangers = [
      '12345678c12345678',
      'gs-2014-00123',
      '123456781234567',
      'abcdefg8hijklmnop',
      '2李2李2李2李2李2',
    ]
    assert.equal(await checkAll(strangers), 1, 'only the one that is part of a number')
    await checkAll(
      numbers.flatMap((number) => [`${number}x`, `x${number}`, `${number} abcdefgh9`, `${number} 7`]),
    )
  })

  it('tells admission numbers apart that begin alike, from each other and from names', async () => {
    const parts = ownNumbers.flatMap((number) => {
      const letters = [...number]
      return letters.flatMap((_, from) =>
        [4, 6, 8, 9, 10, 11, 14, 33].map((length) => letters.slice(from, from + length).join('')),
      )
    })
    assert.ok((await checkAll(parts)) > 150)
  })

  it('takes the words of the query language for words', async () => {
    const joined = operators.flatMap((one) => [
      one,
      one.toLowerCase(),
      `a ${one} b`,
      `"${one}"`,
      `${one}*`,
      `${one} a b)`,
    ])
    assert.ok((await checkAll(joined)) > operators.length)
  })

  it('finds nobody by a control character, at any place of any word', async () => {
    for (let code = 0; code < 32; code++) {
      if (code >= 9 && code <= 13) continue // white space
      const control = String.fromCharCode(code)
      assert.equal(
        await checkAll([control, `a${control}`, `${control}ab`, `ab ${control}`, `a${control}b`]),
        0,
      )
    }
    assert.equal(await checkAll(['\x7f', 'a\x7f', '\x7fabc', 'abc \x7f', '\x80', 'ab\x85', 'ab\x9f']), 0)
    assert.ok((await checkAll(['\t', 'a\n', 'a\v\fb'])) > 0, 'and white space parts words')
  })

  it('finds what the model finds by pieces of stored words, alone and together', async () => {
    const piece = fc
      .tuple(fc.constantFrom(...stored), fc.nat(6), fc.constantFrom(1, 2, 3, 3, 4, 5, 33))
      .map(([text, from, length]) => [...text].slice(from, from + length).join(''))
    const together = fc
      .array(fc.oneof({ weight: 3, arbitrary: piece }, { weight: 1, arbitrary: word }), {
        minLength: 1,
        maxLength: 3,
      })
      .map((pieces) => pieces.join(' '))
      .filter((text) => [...text].length <= 100)
    const found = await checkAll(sample(together, 800, 2))
    assert.ok(found > 250, `${found} searches found somebody`)
  })
})
