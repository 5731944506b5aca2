// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool } from '../../test/school.ts'
import { mostRows } from './reading/file-rows.ts'

describe('a file with more rows than are read', () => {
  it('is refused, and nothing of it is planned', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const id = await importer.send(`name,class\n${'Zoe,Class 1\n'.repeat(mostRows + 1)}`)
    const { state, failure, counts } = await importer.read(id)
    assert.deepEqual([state, failure?.code, counts], ['refused', 'too_many_rows', null])
    assert.deepEqual(failure.params, { limit: mostRows })
  })
})
