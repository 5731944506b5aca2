import { hash } from 'node:crypto'

/** Equal for changes, or faults, that are equal: rows are grouped by it. */
export function likenessOf(alike: object): string {
  return hash('sha1', JSON.stringify(alike), 'base64')
}
