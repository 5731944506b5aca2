import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The URL of a database to be, in a folder of its own that is removed when this process ends. */
export function temporaryDatabaseUrl(): string {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'registrar.db')}`
}
