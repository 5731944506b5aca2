import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { onlyOn } from '../../../test/engine.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

describe('an import of which PostgreSQL knows nothing yet', onlyOn('postgres'), () => {
  const fileOf = (name: string, count: number, numbers = 'st') => {
    const lines = Array.from({ length: count }, (_, i) => `${name} ${i} Berg,${numbers}-${i},Class 1\n`)
    return `name,admission_number,class\n${lines.join('')}`
  }

  it('is planned all the same: no statement joins each of its rows with each', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    // Now it knows of one small import, and takes every other for empty.
    const known = async () => void (await sql`analyze`.execute(school.db))
    await importer.planned(fileOf('Small', 200))
    await known()
    const first = await importer.planned(fileOf('Ada', 15_000))
    assert.equal(first.counts.create, 15_000)
    await known()
    assert.equal((await importer.applied(first)).state, 'applied')
    await known()
    const second = await importer.planned(fileOf('Bo', 15_000), '?mode=mirror')
    assert.deepEqual([second.counts.change, second.counts.missing], [15_000, 0])
    const third = await importer.planned(fileOf('Ada', 15_000, 'other'), '?mode=mirror')
    assert.deepEqual([third.counts.doubtful, third.counts.missing], [15_000, 0])
  })
})
