import type { Db } from '../tables.ts'
import { foundation } from './0001-foundation.ts'
import { scaleOf030 } from './0002-of-0.3.0.ts'
import { scale } from './0002-scale.ts'
import { administration } from './0003-administration.ts'
import { compact } from './0004-compact.ts'
import { pending } from './0005-pending.ts'
import { accounts } from './0006-accounts.ts'
import { sessions } from './0007-sessions.ts'
import { totals } from './0008-totals.ts'
import { folding } from './0009-folding.ts'
import { origins } from './0010-origins.ts'
import { log } from './0011-log.ts'
import { record } from './0012-record.ts'
import { fields } from './0013-fields.ts'
import { school } from './0014-school.ts'
import { lists } from './0015-lists.ts'
import { office } from './0016-office.ts'
import { files } from './0017-files.ts'
import { imports } from './0018-imports.ts'
import { marks } from './0019-marks.ts'
import { listsByWrite } from './0020-lists-by-write.ts'
import { sizes } from './0021-sizes.ts'
import { about } from './0022-about.ts'

export type Engine = 'sqlite' | 'postgres'

/** One step of the schema. Its statements never change once released: a checksum holds them. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly statements: Readonly<Record<Engine, readonly string[]>>
  /** Other statements that a release ran under this id: a database that was made with them is taken too. */
  readonly earlier?: Readonly<Record<Engine, readonly (readonly string[])[]>>
  /** What SQL can't compute: runs after the statements, in their transaction. */
  readonly fill?: (db: Db, engine: Engine) => Promise<void>
}

/** Every migration, in the order of ids. Written by hand, so that what runs is what is read here. */
export const migrations: readonly Migration[] = [
  foundation,
  { ...scale, earlier: { sqlite: [scaleOf030], postgres: [] } },
  administration,
  compact,
  pending,
  accounts,
  sessions,
  totals,
  folding,
  origins,
  log,
  record,
  fields,
  school,
  lists,
  office,
  files,
  imports,
  marks,
  listsByWrite,
  sizes,
  about,
]
