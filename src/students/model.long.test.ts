import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { noDetails } from '../../test/no-details.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { occursIn, type Searchable, searchable, wordsOf } from '../../test/search-model.ts'

/*
 * The whole app against a list in memory. More than ten words are refused; one of three characters or more
 * inside another does not count.
 */

interface ModelStudent {
  readonly id: number
  readonly name: string
  readonly admission_number: string
  readonly class_id: number
}

function countedWords(words: readonly string[]): number {
  const different = [...new Set(words)]
  const isImplied = (word: string) =>
    [...word].length >= 3 && different.some((other) => other !== word && other.includes(word))
  return different.filter((word) => !isImplied(word)).length
}

/** Whether a name has something to see, and nothing invisible but joiners. */
function isSeen(name: string): boolean {
  if (/[\p{Cc}\u2028\u2029\u2800]/u.test(name)) return false
  const isInvisible = /\p{Default_Ignorable_Code_Point}/u.test(name.replace(/[\u200c\u200d]/g, ''))
  return !isInvisible && /[\p{L}\p{N}\p{P}\p{S}]/u.test(name)
}

const words = [
  ..."Zoë Müller Anna-Maria O’Brien Sean O'Neil Søren Ærø Łukasz Đặng Nguyễn Straße Cœur Işık İnanç Ñandú".split(
    ' ',
  ),
  ...'李小龙 王芳 𠮷田 さくら ガラス 김민준 박 Ольга Ёлкина Ὀδυσσεύς שָׁלוֹם مُحَمَّد نگار\u200cنژاد नीलम தமிழ் สมชาย'.split(
    ' ',
  ),
  ...'ab abc a b 1 12 123 %_% "x" \\ ﬁne Ｗｉｄｅ 👩‍🎓 Ⅳ ½ x_1 100% --'.split(' '),
]
const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }) },
)
const mangle = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD'),
  (text) => text.normalize('NFKC'),
)
/** A piece of a word, of one to five characters, as somebody might type it. */
const piece = fc
  .tuple(word, fc.nat(4), fc.integer({ min: 1, max: 5 }), mangle)
  .map(([text, from, length, mangle]) => mangle([...text].slice(from, from + length).join('')))
const punctuation = fc.string({ unit: fc.constantFrom(...'\'";-%_\\*()^:+&=#?/{}\0\t a1é李'), maxLength: 12 })
const search = fc.oneof(
  { weight: 6, arbitrary: fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(' ')) },
  {
    weight: 1,
    arbitrary: fc.array(piece, { minLength: 8, maxLength: 14 }).map((pieces) => pieces.join(' ')),
  },
  { weight: 1, arbitrary: punctuation },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 110 }) },
)

const step = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    name: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
    admission_number: fc
      .tuple(fc.constantFrom('A', 'a', 'Ä-', 'x/', '2026-'), fc.nat(150))
      .map((parts) => parts.join('')),
    class_id: fc.integer({ min: 1, max: 14 }),
  }),
  fc.record({
    do: fc.constant('list' as const),
    search,
    page: fc.integer({ min: 1, max: 6 }),
    per_page: fc.constantFrom(1, 2, 3, 7, 20, 1000),
  }),
  fc.record({ do: fc.constant('get' as const), id: fc.integer({ min: 1, max: 400 }) }),
)

describe('students, against a model in memory', () => {
  const model: ModelStudent[] = []
  const searchables = new Map<ModelStudent, Searchable[]>()
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  async function list(search: string, page: number, per_page: number): Promise<void> {
    const query = `page=${page}&per_page=${per_page}&search=${encodeURIComponent(search)}`
    const { status, body } = await school.get(`/api/students?${query}`, registrar)
    if ([...search].length > 100) return assert.equal(status, 422)
    const words = wordsOf(search)
    if (countedWords(words) > 10) return assert.equal(status, 422)
    assert.equal(status, 200)
    const isFound = (student: ModelStudent) =>
      words.every((word) => searchables.get(student)!.some((text) => occursIn(text, word)))
    const matching = model.filter(isFound)
    assert.equal(body.pagination.total, matching.length, `total for ${JSON.stringify(search)}`)
    const expected = matching.slice((page - 1) * per_page, page * per_page)
    assert.deepEqual(
      body.data.map(({ id }: { id: number }) => id),
      expected.map(({ id }) => id),
      `search: ${JSON.stringify(search)}`,
    )
  }

  async function create(student: Omit<ModelStudent, 'id'>): Promise<void> {
    const { status, body } = await school.post('/api/students', student, registrar)
    const name = student.name.trim().normalize('NFC')
    const isTaken = model.some(
      ({ admission_number }) => admission_number.toLowerCase() === student.admission_number.toLowerCase(),
    )
    const isValid = student.class_id <= 12 && isSeen(name)
    assert.equal(status, isValid ? (isTaken ? 409 : 201) : 422)
    if (status !== 201) return
    const created = { ...student, name, id: body.data.id }
    model.push(created)
    searchables.set(created, [searchable(name), searchable(student.admission_number)])
  }

  async function get(id: number): Promise<void> {
    const { status, body } = await school.get(`/api/students/${id}`, registrar)
    const student = model.find((student) => student.id === id)
    assert.equal(status, student ? 200 : 404)
    if (!student) return
    assert.deepEqual(body.data, { ...noDetails, ...student, class: `Class ${student.class_id}` })
  }

  it('creates, lists, searches and gets as the model does, five hundred times', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const step of steps) {
          if (step.do === 'create') {
            const { name, admission_number, class_id } = step
            await create({ name, admission_number, class_id })
          } else if (step.do === 'list') await list(step.search, step.page, step.per_page)
          else await get(step.id)
        }
      }),
      { numRuns: 500 },
    )
    assert.ok(model.length > 100)
    assert.equal(await school.count('students'), model.length)
  })

  it('finds what the model finds for every short beginning of every word that is stored', async () => {
    const pieces = new Set<string>()
    for (const { name } of model.slice(0, 100)) {
      for (const word of name.split(' ')) {
        const characters = [...word]
        for (let from = 0; from < Math.min(3, characters.length); from++) {
          for (let length = 1; length <= 3; length++)
            pieces.add(characters.slice(from, from + length).join(''))
        }
      }
    }
    assert.ok(pieces.size > 150)
    for (const piece of pieces) await list(piece, 1, 1000)
  })

  it('answers four thousand random texts as searches, each as the model does', async () => {
    const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 105 }), punctuation, search)
    const texts = fc.sample(anything, 4_000)
    for (let i = 0; i < texts.length; i += 50) {
      await Promise.all(texts.slice(i, i + 50).map((text) => list(text, 1, 3)))
    }
  })
})
