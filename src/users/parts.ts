import type { Clock } from '../access/clock.ts'
import type { SessionUses } from '../access/session-uses.ts'
import type { Tokens } from '../access/tokens.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/tables.ts'
import type { HashingLine } from './hashing-line.ts'

/** What routes work with; the app makes one of each. */
export interface Parts {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly tokens: Tokens
  readonly hashingLine: HashingLine
  readonly sessionUses: SessionUses
}
