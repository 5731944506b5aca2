import type { Migration } from './index.ts'

const texts = ['given_name', 'family_name', 'former_names', 'email', 'address']

const statements = [
  ...texts.map((column) => `alter table students add column ${column} text`),
  'alter table students add column folded_family_name text',
]

/** What a school office keeps of a student besides. `folded_family_name` sorts lists; null: there is no family name. */
export const record: Migration = {
  id: 12,
  name: 'record',
  statements: { sqlite: statements, postgres: statements },
}
