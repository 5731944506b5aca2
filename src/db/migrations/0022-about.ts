import type { Migration } from './index.ts'

/** Whom and which rows a decision on a row is about: where it may be somebody else by now, it is asked again. */
export const about: Migration = {
  id: 22,
  name: 'about',
  statements: {
    sqlite: ['alter table import_decisions add column about text'],
    postgres: ['alter table import_decisions add column about text'],
  },
}
