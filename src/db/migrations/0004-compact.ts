import { tokenIndex, totalTriggers } from './0002-scale.ts'
import type { Migration } from './index.ts'

/** An instant's column in milliseconds since 1970, as SQLite's index has it: the same order in a fourth of the bytes. */
export function millisecondsOf(column: string): string {
  return `cast(round(unixepoch(${column}, 'subsec') * 1000) as integer)`
}

/**
 * SQLite: what can be told from other columns is stored no longer, and indexes hold no more than they must.
 * PostgreSQL stays as it is.
 */
export const compact: Migration = {
  id: 4,
  name: 'compact',
  statements: {
    sqlite: [
      ...searchText(),
      ...searchIndex(),
      ...totalTriggers('folded_name, admission_key, further_words'),
      ...orders(),
    ],
    postgres: [],
  },
}

/**
 * `search_text` is made of the folded name, the admission number's key, and `further_words`: what `searchText`
 * (`text/search-words.ts`) has besides. Where the key is no word of a `searchText`, it is left out, and
 * `further_words` begins with a space.
 */
function searchText(): string[] {
  return [
    'drop trigger student_search_insert',
    'drop trigger student_search_before_update',
    'drop trigger student_search_update',
    'drop trigger student_search_delete',
    'drop trigger search_totals_insert',
    'drop trigger search_totals_update',
    'drop trigger search_totals_delete',
    'drop table student_search',
    'drop view student_words',

    `update students set search_text =
      iif(instr(search_text || '  ', '  ' || admission_key || '  ') > 0, '', ' ') || (
        with recursive rest (text, word) as (
          select substr(search_text, 3) || '  ', '' union all
          select substr(text, instr(text, '  ') + 2), substr(text, 1, instr(text, '  ') - 1) from rest where text <> ''
        )
        select coalesce(group_concat(word, ' '), '') from rest
        where word not in ('', admission_key) and instr(' ' || folded_name || ' ', ' ' || word || ' ') = 0
      )`,
    'alter table students rename column search_text to further_words',
    `alter table students add column search_text text generated always as (
      '  ' || replace(
        folded_name || iif(further_words glob ' *', '', ' ' || admission_key || ' ') || further_words, ' ', '  '
      )
    ) virtual`,
  ]
}

/**
 * As migration 2 has it, but for the cut of numbers: a part that begins with a digit, or with ASCII punctuation below
 * the letters, is cut at 6 letters if there is a digit among these, any other at 8, and at 32 what has none.
 */
function searchIndex(): string[] {
  const cutWithDigit = (letters: number) => `iif(substr(text, 1, ${letters}) glob '*[0-9]*', ${letters}, 32)`
  const cut = `iif(text < 'a', ${cutWithDigit(6)}, ${cutWithDigit(8)})`
  // A column that is generated fires no trigger.
  return tokenIndex(cut, 'folded_name, admission_key, further_words, class_id')
}

/** Students of one folded name are put in order when they are read. */
function orders(): string[] {
  return [
    'drop index students_name',
    'create index students_name on students (folded_name)',
    'drop index students_created',
    `create index students_created on students (${millisecondsOf('created_at')})`,
  ]
}
