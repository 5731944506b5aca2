import { hash } from 'node:crypto'
import type { PlannedCell } from '../model.ts'

/** Equal for changes, or faults, that are equal: rows are grouped by it. */
export function likenessOf(alike: object): string {
  return hash('sha1', JSON.stringify(alike), 'base64')
}

/** The same, whoever has what a row gives, and whichever number nobody has. */
export function likenessOfFaults(cells: readonly PlannedCell[]): string {
  return likenessOf(
    cells.map(({ ids, mayBe, to, ...told }) => (told.code === 'unknown_student' ? told : { to, ...told })),
  )
}
