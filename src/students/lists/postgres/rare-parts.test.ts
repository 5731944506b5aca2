import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { onlyOn } from '../../../../test/engine.ts'
import { insertStudents } from '../../../../test/many-students.ts'
import { openSchool, type School } from '../../../../test/school.ts'
import { RareParts } from './rare-parts.ts'

describe('the parts of a word that the search index of PostgreSQL is asked for', onlyOn('postgres'), () => {
  let school: School
  let parts: RareParts
  let now = 0
  const called = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name} ${i}`)
  before(async () => {
    school = await openSchool()
    await insertStudents(school.db, [
      ...called('Annabel Smith', 3000),
      ...called('Nanana', 40),
      'Xu Annabelquix',
    ])
    parts = new RareParts(school.db, () => now)
  })

  /** What is asked for once it is other than this. */
  async function asked(word: string, before: readonly string[], of = parts): Promise<readonly string[]> {
    for (;;) {
      const found = of.of(word)
      if (String(found) !== String(before)) return found
      await turn()
    }
  }

  it('are few students’, and do not overlap', async () => {
    assert.deepEqual(parts.of('annabelquix'), ['annabelquix'], 'nothing is known yet')
    assert.deepEqual(await asked('annabelquix', ['annabelquix']), ['elq', 'uix'])
    assert.deepEqual(parts.of('annabel-quix'), ['qui'], 'no trigram has a hyphen')
  })

  it('are the whole of what many hold, or of what has no trigram', () => {
    for (const word of ['smith', 'annabel', 'nananananananan', '  x', ' xu', "a'b"])
      assert.deepEqual(parts.of(word), [word])
  })

  it('are told anew from how students are called an hour later', async () => {
    await insertStudents(school.db, called('Quix', 2_000), 4_001)
    const before = parts.of('annabelquix')
    now += 3_600_001
    assert.deepEqual(await asked('annabelquix', before), ['elq'])
  })

  it('are told a minute after there was hardly anyone to count', async () => {
    const { db } = await openSchool()
    const few = new RareParts(db, () => now)
    await insertStudents(db, called('Annabel Smith', 100))
    for (let i = 0; i < 1_000; i++) {
      assert.deepEqual(few.of('annabelquix'), ['annabelquix'])
      await turn()
    }
    await insertStudents(db, called('Annabel Smith', 3000), 1_001)
    now += 60_001
    assert.deepEqual(await asked('annabelquix', ['annabelquix'], few), ['elq', 'uix'])
  })

  it('find whom the whole word finds, and nobody else', async () => {
    const viewer = await school.person('viewer')
    const found = async (search: string) => {
      const { status, body, text } = await school.get(`/api/students?search=${search}`, viewer)
      assert.equal(status, 200, text)
      return body.data.map(({ name }: { name: string }) => name)
    }
    for (let i = 0; i < 20; i++) {
      assert.deepEqual(await found('annabelquix'), ['Xu Annabelquix'])
      assert.deepEqual(await found('quixannabel'), [])
      await turn()
    }
  })
})
