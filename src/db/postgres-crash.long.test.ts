import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { atEnd } from '../../test/cleanup.ts'
import { onlyOn } from '../../test/engine.ts'
import { makeTemplate, PostgresServer, runSql } from '../../test/postgres.ts'
import { openSchool } from '../../test/school.ts'
import { settingsAdvice } from './postgres-settings.ts'

describe('a crash of a PostgreSQL that does not wait for the disk', onlyOn('postgres'), () => {
  it('loses nothing that was answered, and is warned of what a loss of power could damage', async () => {
    const settings = [
      'full_page_writes=off',
      'synchronous_commit=off',
      'wal_writer_delay=10s',
      'bgwriter_delay=10s',
    ]
    const postgres = await PostgresServer.start(settings)
    atEnd(() => postgres.remove())
    await makeTemplate(postgres, 'school')
    await runSql(postgres.url('postgres'), 'create database crashed template school')
    const databaseUrl = postgres.url('crashed')
    const school = await openSchool({ databaseUrl })
    assert.match((await settingsAdvice(school.db)).join('\n'), /full_page_writes off: .+ Set it to on/)
    const registrar = await school.person('registrar')
    const body = { name: 'Ada Answered', admission_number: 'crash-1', class_id: 1 }
    const { status } = await school.send('POST', '/api/students', { as: registrar, body })
    assert.equal(status, 201)
    await postgres.stop('immediate')
    await postgres.startAgain()
    const found = await runSql(databaseUrl, "select name from students where admission_number = 'crash-1'")
    assert.deepEqual(found, [{ name: 'Ada Answered' }])
  })
})
