import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { engine } from '../../test/engine.ts'
import { personHolding } from '../../test/grants.ts'
import { openSchool } from '../../test/school.ts'
import { sqlitePath } from '../db/open.ts'
import { version } from './version.ts'

/** Settings of a server that others can reach, and nothing is wrong with. */
const safe = { HOST: '0.0.0.0', PASSWORD_POLICY: 'strict' }

async function unsafeOf(env: Record<string, string>, headers = {}): Promise<[string, string[]][]> {
  const school = await openSchool({ env })
  const as = await school.person('administrator')
  const { status, body, text } = await school.send('GET', '/api/about', { as, headers })
  assert.equal(status, 200, text)
  for (const { detail } of body.data.unsafe_settings) assert.match(detail, /(Set|Add|Name) [^.]+\.$/)
  return body.data.unsafe_settings.map(({ code, settings }: { code: string; settings: string[] }) => [
    code,
    settings,
  ])
}

describe('GET /api/about', () => {
  it('tells an administrator of the program and its database', async () => {
    const school = await openSchool({ env: safe })
    const as = await school.person('administrator')
    const { data } = (await school.get('/api/about', as)).body
    const { engine_version, database_bytes, ...others } = data
    assert.deepEqual(others, {
      version,
      engine,
      status: 'healthy',
      fault: null,
      last_backup: null,
      unsafe_settings: [],
    })
    assert.match(engine_version, /^\d+\.\d+/)
    assert.ok(database_bytes > 100_000, `${database_bytes}`)
  })

  it('is not for who holds everything else', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const head = await personHolding(school, [
      ['users.view', 'users.manage', 'school.manage', 'audit.view'],
      'all',
    ])
    for (const as of [registrar, head]) {
      const { status, body } = await school.get('/api/about', as)
      assert.deepEqual([status, body.code], [403, 'permission_denied'])
    }
  })

  it('names each setting that is unsafe where others can reach the server, and what to do', async () => {
    assert.deepEqual(await unsafeOf(safe), [])
    assert.deepEqual(await unsafeOf({ ...safe, PASSWORD_POLICY: 'basic' }), [
      ['weak_passwords', ['PASSWORD_POLICY']],
    ])
    assert.deepEqual(await unsafeOf({ ...safe, DEFAULT_ROLE: 'viewer', CORS_ORIGINS: '*' }), [
      ['strangers_get_role', ['REGISTRATION', 'DEFAULT_ROLE']],
      ['any_origin', ['CORS_ORIGINS']],
    ])
    assert.deepEqual(await unsafeOf({ HOST: 'localhost' }), [])
  })

  it('finds a proxy that no setting names by the request itself', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const expected = [
      ['weak_passwords', ['PASSWORD_POLICY']],
      ['proxy_not_trusted', ['TRUST_PROXY']],
    ]
    assert.deepEqual(await unsafeOf({ HOST: 'localhost' }, headers), expected)
    assert.deepEqual(await unsafeOf({ ...safe, TRUST_PROXY: '1' }, headers), [])
  })

  it('tells when the last backup was made, where that is noted, and invents nothing', async (context) => {
    if (engine !== 'sqlite') return context.skip('backups of PostgreSQL are made by others')
    const school = await openSchool()
    const as = await school.person('administrator')
    const last = async () => (await school.get('/api/about', as)).body.data.last_backup
    const note = `${sqlitePath(school.databaseUrl)}.last-backup`
    writeFileSync(note, '2026-09-01T08:00:00.000Z\n')
    assert.equal(await last(), '2026-09-01T08:00:00.000Z')
    writeFileSync(note, 'yesterday')
    assert.equal(await last(), null)
  })
})
