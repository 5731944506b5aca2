import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './cleanup.ts'

/** Writes the rules of who may log in how. @returns their file, for the setting `hba_file` */
export function rulesFile(rules: string): string {
  const folder = temporaryFolder()
  const file = join(folder, 'pg_hba.conf')
  writeFileSync(file, rules)
  chmodSync(folder, 0o755) // PostgreSQL may run as another user
  chmodSync(file, 0o644)
  return file
}
