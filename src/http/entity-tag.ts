import { hash } from 'node:crypto'
import type { Instant } from '../db/tables.ts'

/** What a record's version is told by: after a restore, a version's number may come again, but at another time. */
export interface Versioned {
  readonly version: number
  readonly updated_at: Instant
}

/** Longer tags are hashed: an account may hold a thousand roles. */
const maxTagLength = 100

/**
 * A strong entity tag (RFC 9110 §8.8.3) of the versions of what is shown, and of how much of it is shown: equal
 * where the answer is, and known without making it.
 */
export function entityTag(versions: readonly Versioned[], view = ''): string {
  const texts = versions.map(({ version, updated_at }) => `${version}.${updated_at.slice(2, -1)}`)
  const tag = `${texts.join('.')}${view && `-${view}`}`
  return `"${tag.length > maxTagLength ? hash('sha256', tag, 'base64url') : tag}"`
}
