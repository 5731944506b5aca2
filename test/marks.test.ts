import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { cpuMs } from './cpu-time.ts'
import { openSchool, type Person, type School } from './school.ts'

/** Marks that stand in the wrong order: the slowest of texts to compose. */
const marks = (count: number) => '\u0301\u0316'.repeat(count / 2)

/** It nearly fills a body of 64 KiB. To compose it takes 60 ms and more. */
const longest = `a${marks(15_990)}`

describe('a text full of combining marks', () => {
  let school: School
  let registrar: Person
  let composing: number
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    composing = await cpuMs(() => longest.normalize('NFC'))
  })

  const student = (given: object) => ({
    name: 'Ada',
    admission_number: crypto.randomUUID(),
    class_id: 1,
    ...given,
  })
  const create = (given: object) => school.post('/api/students', student(given), registrar)

  const guardian = { name: `a${marks(254)}`, relation: `a${marks(48)}`, phone: `a${marks(48)}` }
  const slow: [what: string, given: object, status: number][] = [
    ['notes that are too long', { notes: longest }, 422],
    ['notes as long as they may be', { notes: `a${marks(1_998)}` }, 201],
    ['too many guardians', { guardians: Array.from({ length: 80 }, () => guardian) }, 422],
    ['as many guardians as there may be', { guardians: Array.from({ length: 10 }, () => guardian) }, 201],
    ['a name that is too long', { name: `a${marks(2_000)}` }, 422],
    ['names as long as they may be', { name: `a${marks(254)}`, preferred_name: `a${marks(254)}` }, 201],
  ]
  for (const [what, given, expected] of slow) {
    it(`holds nobody up: ${what}`, async () => {
      const ms = await cpuMs(async () => assert.equal((await create(given)).status, expected))
      assert.ok(ms < composing / 2, `${ms} ms of CPU, where composing takes ${composing}`)
    })
  }

  it('is composed before its length counts, where the marks are those of a language', async () => {
    const name = 'ệ'.repeat(255)
    assert.equal((await create({ name: name.normalize('NFD') })).status, 201)
    const { body } = await school.get('/api/students?sort=-id', registrar)
    assert.equal(body.data[0].name, name)
    assert.equal((await create({ name: `${name}ệ`.normalize('NFD') })).status, 422)
  })
})
