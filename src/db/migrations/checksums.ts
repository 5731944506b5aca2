import { createHash } from 'node:crypto'
import type { Engine, Migration } from './index.ts'

/** What a database keeps of the statements that made it. */
export function checksumOf(statements: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(statements)).digest('hex')
}

/** The statements with this checksum: a migration's own, or those that an earlier release ran in their place. */
export function statementsWith(
  checksum: string,
  { statements, earlier }: Migration,
  engine: Engine,
): readonly string[] | undefined {
  const known = [statements[engine], ...(earlier?.[engine] ?? [])]
  return known.find((statements) => checksumOf(statements) === checksum)
}
