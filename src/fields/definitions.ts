import { engineOf } from '../db/engine.ts'
import { perDatabase } from '../db/per-database.ts'
import { prepare } from '../db/prepare.ts'
import type { Db } from '../db/tables.ts'
import type { Versioned } from '../http/conditions.ts'
import { type Field, type FieldRow, fieldColumns, toField } from './queries.ts'

/** All fields as they stand at a version of `field_changes`. */
export interface Definitions extends Versioned {
  /** In the order in which they are shown, the archived ones too. */
  readonly fields: readonly Field[]
  /** What records show to all, and to those who see sensitive values. */
  readonly shownToAll: Shown
  readonly shown: Shown
}

/** Finds hidden members in stored values, which are JSON without spaces: their names, and the whole members. */
export interface Hidden {
  readonly name: RegExp
  readonly members: RegExp
}

/** Which members of stored values are shown, and which are hidden. */
export interface Shown {
  /** In the order in which they are shown. */
  readonly keys: readonly string[]
  /** Whether that is the order in which they are stored. */
  readonly isAsStored: boolean
  readonly hidden: Hidden | undefined
}

/** What holds for a record without values. */
export const noDefinitions: Definitions = { version: 0, updated_at: '', ...madeOf([]) }

/** What is shown of fields. */
export function madeOf(fields: readonly Field[]) {
  const shown = fields.filter(({ archived }) => !archived)
  const shownToAll = shown.filter(({ sensitive }) => !sensitive)
  return { fields, shown: shownOf(fields, shown), shownToAll: shownOf(fields, shownToAll) }
}

function shownOf(fields: readonly Field[], shown: readonly Field[]): Shown {
  const hiddenKeys = fields.filter((field) => !shown.includes(field)).map(({ key }) => key)
  return {
    keys: shown.map(({ key }) => key),
    isAsStored: shown.every(({ id }, i) => i === 0 || shown[i - 1]!.id < id),
    hidden: hiddenKeys.length === 0 ? undefined : hiddenMembers(hiddenKeys),
  }
}

function hiddenMembers(keys: readonly string[]): Hidden {
  const name = `"(?:${keys.join('|')})":`
  const text = String.raw`"(?:[^"\\]|\\.)*"`
  const value = String.raw`(?:${text}|\[(?:${text}|,)*\]|[\w.+-]+)`
  return { name: new RegExp(name), members: new RegExp(`${name}${value},?`, 'g') }
}

/** A version names one state of the fields, on all instances, so it is read once. */
const remembered = perDatabase<Definitions>()

/** Whether this process has met fields. */
export const hasMetFields = (db: Db): boolean => (remembered.get(db)?.fields.length ?? 0) > 0

/**
 * The fields at this version, or newer ones where they changed since.
 * @param changes the row of `field_changes`, as it was read with a record
 */
export async function definitionsAt(db: Db, { version, updated_at }: Versioned): Promise<Definitions> {
  const known = remembered.get(db)
  if (known?.version === version && known.updated_at === updated_at) return known
  const definitions = await readDefinitions(db)
  remembered.set(db, definitions)
  return definitions
}

/** The fields as they stand; inside a write, none changes until it ends. */
export async function lockDefinitions(db: Db): Promise<Definitions> {
  const [changes] = await shareChanges(db, {})
  return definitionsAt(db, changes!)
}

/** On SQLite there is one write at a time. */
const shareChanges = prepare<object, Versioned>((db) => {
  const changes = db.selectFrom('field_changes').select(['version', 'updated_at'])
  return engineOf(db) === 'postgres' ? changes.forShare() : changes
})

/** In one statement, so that the version is the one of these fields. */
const selectDefinitions = prepare<object, DefinitionRow>((db) =>
  db
    .selectFrom('field_changes')
    .leftJoin('fields', (join) => join.onTrue())
    .select(fieldColumns)
    .select(['field_changes.version as changes_version', 'field_changes.updated_at as changes_at'])
    .orderBy('fields.position')
    .orderBy('fields.id'),
)

type DefinitionRow = { [Name in keyof FieldRow]: FieldRow[Name] | null } & {
  readonly changes_version: number
  readonly changes_at: string
}

async function readDefinitions(db: Db): Promise<Definitions> {
  const rows = await selectDefinitions(db, {})
  const fields = rows.filter(({ id }) => id !== null).map((row) => toField(row as FieldRow))
  const { changes_version: version, changes_at: updated_at } = rows[0]!
  return { version, updated_at, ...madeOf(fields) }
}
