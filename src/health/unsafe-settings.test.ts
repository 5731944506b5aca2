// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../config.ts'
import { unsafeSettings } from './unsafe-settings.ts'

describe('the connection to PostgreSQL', () => {
  it('is unsafe where it leaves the machine without being encrypted and checked', () => {
    const codes = (databaseUrl: string) =>
      unsafeSettings(readConfig({ DATABASE_URL: databaseUrl }), {}).map(({ code }) => code)
    for (const url of [
      'postgres://u:p@db.school.example/registrar',
      'postgres://u:p@10.0.0.7:5432/registrar?sslmode=disable',
      'postgres://u:p@db.school.example/registrar?sslmode=no-verify',
      'postgres://u:p@localhost/registrar?host=db.school.example',
    ])
      assert.deepEqual(codes(url), ['database_in_the_open'], url)
    for (const url of [
      'sqlite:./data/registrar.db',
      'postgres://u:p@localhost/registrar',
      'postgres://u:p@127.0.0.1:5432/registrar',
      'postgres://u:p@[::1]/registrar',
      'postgres:///registrar?host=/var/run/postgresql',
      'postgres://u:p@db.school.example/registrar?sslmode=verify-full',
    ])
      assert.deepEqual(codes(url), [], url)
  })
})
