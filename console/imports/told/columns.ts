import type { Texts as HouseTexts } from '../../language/en.ts'
import type { Texts } from '../en.ts'

/* What the columns of a file are called. The server loads this module too: it knows no browser. */

/** The texts of a language, and the school's own fields. */
export interface Words {
  readonly house: HouseTexts
  readonly own: Texts
  readonly fields: readonly OwnField[]
  /** What is wrong that only a file can have, by its code. Where it is absent, the server's sentence says it. */
  readonly ofFile?: Readonly<Record<string, string>>
}

interface OwnField {
  readonly key: string
  readonly label: string
  readonly kind: string
  readonly options: readonly string[] | null
}

/** What a column of a file holds. */
export function columnIn(words: Words, column: string): string {
  const { house, own, fields } = words
  const guardian = /^guardian_(\d+)_(.+)$/.exec(column)
  if (guardian) return own.guardianColumn(guardian[1]!, columnIn(words, guardian[2]!))
  const [, key] = /^fields\.(.+)$/.exec(column) ?? []
  if (key !== undefined) return fields.find((field) => field.key === key)?.label ?? key
  const [, system] = /^identifiers\.(.+)$/.exec(column) ?? []
  if (system !== undefined) return own.elsewhere(system)
  if (column === 'id' || column === 'class_id') return own.choices[column]
  if (column === 'preferred_name') return own.preferredName
  if (column === 'row') return own.row
  if (column === 'label') return house.fields.class
  return (house.fields as Readonly<Record<string, string>>)[column] ?? column
}
