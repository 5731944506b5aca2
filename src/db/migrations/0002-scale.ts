import type { Migration } from './index.ts'

/** How many ids make a block of `student_blocks`, whose students are counted together. */
export const idsInBlock = 4096

/** Every printable ASCII character but letters and digits: with them, all that is no space makes a token. */
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

/** Begins the token of a class. No text of a student can hold it, and no search. */
export const classMark = '\u0001'

/**
 * SQLite: the search index as whole tokens, and counters for totals and deep pages. PostgreSQL has what it
 * needs: its trigram index, and its total in parts.
 */
export const scale: Migration = {
  id: 2,
  name: 'scale',
  statements: { sqlite: [...searchIndex(), ...keptTotals(), ...counters()], postgres: [] },
}

function searchIndex(): string[] {
  return [
    'drop trigger student_search_insert',
    'drop trigger student_search_update',
    'drop trigger student_search_delete',
    'drop table student_search',
    ...tokenIndex("case when substr(text, 1, 8) glob '*[0-9]*' then 8 else 32 end", 'search_text, class_id'),
  ]
}

/**
 * `student_words` says by which tokens a student is found: of each word the first letter, the first two, and
 * every part from some letter to its end, cut at 32 letters, or at 8 if there is a digit among these (of
 * numbers most parts are unlike all others, and would fill the index). So a word of one or two letters is a
 * token, and a longer one the beginning of a token. One more token is the class, so that a search of some classes
 * reads no other's students. The index reads the view when it is rebuilt or checked.
 * @param cut where `text`, a part and what follows it, is cut
 * @param columns those of which the tokens are made
 */
export function tokenIndex(cut: string, columns: string): string[] {
  const tokenchars = punctuation.replaceAll("'", "''").replaceAll('"', '""')
  return [
    `create view student_words (id, words) as select id, (
      with recursive rest (text, letters) as (
        select search_text || ' ', 0 union all select substr(text, 2), instr(text, ' ') - 2 from rest where text <> ''
      )
      select group_concat(case letters
        when -1 then substr(text, 1, 1) || ' ' || substr(text, 1, 2) || ' ' || substr(text, 1, min(instr(text, ' ') - 1, ${cut}))
        else substr(text, 1, min(letters, ${cut})) end, ' ')
      from rest where letters > 2 or letters = -1 and text not like ' %'
    ) || ' ' || char(1) || class_id from students`,

    `create virtual table student_search using fts5 (
      words, content = 'student_words', content_rowid = 'id', detail = none, columnsize = 0, prefix = '3',
      tokenize = "ascii tokenchars '${tokenchars}${classMark}'"
    )`,
    "insert into student_search (student_search) values ('rebuild')",
    "insert into student_search (student_search, rank) values ('usermerge', 2)",
    `create trigger student_search_insert after insert on students begin
      insert into student_search (rowid, words) select id, words from student_words where id = new.id;
    end`,
    `create trigger student_search_before_update before update of ${columns} on students begin
      insert into student_search (student_search, rowid, words)
      select 'delete', id, words from student_words where id = old.id;
    end`,
    `create trigger student_search_update after update of ${columns} on students begin
      insert into student_search (rowid, words) select id, words from student_words where id = new.id;
    end`,
    `create trigger student_search_delete before delete on students begin
      insert into student_search (student_search, rowid, words)
      select 'delete', id, words from student_words where id = old.id;
    end`,
  ]
}

/** How many students a common word finds, for words that were searched for: see `students/kept-totals.ts`. */
function keptTotals(): string[] {
  return [
    'create table search_totals (pattern text primary key, students integer not null) strict, without rowid',
    ...totalTriggers('search_text'),
  ]
}

/** @param columns those of which the text is made that a word is looked for in */
export function totalTriggers(columns: string): string[] {
  const holds = (row: 'new' | 'old') => `(instr(${row}.search_text, pattern) > 0)`
  return [
    `create trigger search_totals_insert after insert on students begin
      update search_totals set students = students + 1 where ${holds('new')};
    end`,
    `create trigger search_totals_update after update of ${columns} on students begin
      update search_totals set students = students + ${holds('new')} - ${holds('old')};
    end`,
    `create trigger search_totals_delete after delete on students begin
      update search_totals set students = students - 1 where ${holds('old')};
    end`,
  ]
}

/** How many students there are, and how many in each block of ids: one writer keeps them without waiting. */
function counters(): string[] {
  return [
    'create table student_counts (slot integer primary key, students integer not null) strict',
    'insert into student_counts (slot, students) select 0, count(*) from students',
    'create table student_blocks (block integer primary key, students integer not null) strict',
    `insert into student_blocks (block, students) select id / ${idsInBlock}, count(*) from students group by 1`,
    `create trigger student_counts_insert after insert on students begin
      update student_counts set students = students + 1 where slot = 0;
      insert into student_blocks (block, students) values (new.id / ${idsInBlock}, 1)
      on conflict do update set students = students + 1;
    end`,
    `create trigger student_counts_delete after delete on students begin
      update student_counts set students = students - 1 where slot = 0;
      update student_blocks set students = students - 1 where block = old.id / ${idsInBlock};
    end`,
  ]
}
