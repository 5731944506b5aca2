import { sql } from 'kysely'
import type { Db } from '../tables.ts'
import { digitsOf, markedWords } from './guardian-texts-of-0012.ts'
import type { Engine, Migration } from './index.ts'
import { wordsOf } from './words.ts'

/**
 * What a school office keeps of a student besides. `folded_family_name` sorts lists; null: there is no family name.
 * Students are found by their guardians, and guardians have an address and a note.
 */
export const record: Migration = {
  id: 12,
  name: 'record',
  statements: { sqlite: statementsOf('sqlite'), postgres: statementsOf('postgres') },
  fill: fillGuardians,
}

function statementsOf(engine: Engine): string[] {
  return [...columns(engine), ...identifiers(engine), ...guardians(engine)]
}

function columns(engine: Engine): string[] {
  const texts = ['given_name', 'family_name', 'former_names', 'email', 'address', 'identifiers']
  return [
    ...texts.map((column) => `alter table students add column ${column} text`),
    'alter table students add column folded_family_name text',
    `alter table students add column name_joined ${wordsOf(engine).integer} not null default 0`,
  ]
}

function identifiers(engine: Engine): string[] {
  const { integer, endKeyed } = wordsOf(engine)
  return [
    `create table student_identifiers (
      system_key text not null,
      value_key text not null,
      student_id ${integer} not null references students (id) on delete cascade,
      primary key (system_key, value_key)
    ${endKeyed}`,
    'create index student_identifiers_student on student_identifiers (student_id)',
  ]
}

/** The indexes hold parts of names and numbers of three characters; no other search reads them. */
function guardians(engine: Engine): string[] {
  const { integer, end } = wordsOf(engine)
  const id = engine === 'sqlite' ? 'integer primary key' : wordsOf(engine).id
  const bytewise = engine === 'sqlite' ? '' : ' collate "C"'
  return [
    `create table guardian_texts (
      id ${id},
      student_id ${integer} not null references students (id) on delete cascade,
      names text not null,
      email text,
      digits text
    ${end}`,
    'create index guardian_texts_student on guardian_texts (student_id)',
    `create index guardian_texts_email on guardian_texts (email${bytewise}) where email is not null`,
    ...(engine === 'sqlite' ? sqliteIndex() : postgresIndex()),
  ]
}

function sqliteIndex(): string[] {
  return [
    `create virtual table guardian_search using fts5 (
    names, digits, content = 'guardian_texts', content_rowid = 'id', detail = none, columnsize = 0,
    tokenize = 'trigram case_sensitive 1'
  )`,
    `create trigger guardian_search_insert after insert on guardian_texts begin
    insert into guardian_search (rowid, names, digits) values (new.id, new.names, new.digits);
  end`,
    `create trigger guardian_search_delete after delete on guardian_texts begin
    insert into guardian_search (guardian_search, rowid, names, digits)
    values ('delete', old.id, old.names, old.digits);
  end`,
  ]
}

function postgresIndex(): string[] {
  return [
    // Where the extension can't be had, searches scan: slower, and the same answers.
    `do $$ begin
    create extension if not exists pg_trgm;
    create index guardian_texts_search on guardian_texts using gin (names gin_trgm_ops, digits gin_trgm_ops)
      with (gin_pending_list_limit = 64);
  exception when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'pg_trgm is not available';
  end $$`,
  ]
}

const sliceSize = 2_000

interface Guardian {
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
}

/** Gives the guardians that are there the new members, and stores what they are found by. */
async function fillGuardians(db: Db, engine: Engine): Promise<void> {
  for (let last = 0; ; ) {
    const slice = await db
      .selectFrom('students')
      .select(['id', 'guardians'])
      .where('id', '>', last)
      .where('guardians', 'is not', null)
      .orderBy('id')
      .limit(sliceSize)
      .execute()
    if (slice.length > 0) await writeSlice(db, engine, slice)
    if (slice.length < sliceSize) return
    last = slice.at(-1)!.id
  }
}

async function writeSlice(
  db: Db,
  engine: Engine,
  slice: readonly { readonly id: number; readonly guardians: string | null }[],
): Promise<void> {
  const students = slice.map(({ id, guardians }) => ({ id, guardians: JSON.parse(guardians!) as Guardian[] }))
  const whole = students.map(({ id, guardians }) => ({
    id,
    guardians: JSON.stringify(guardians.map((one) => ({ ...one, address: null, note: null }))),
  }))
  const texts = students.flatMap(({ id, guardians }) =>
    guardians.map(({ name, email, phone }) => {
      return { id, names: markedWords(name).join(''), email, digits: digitsOf(phone ?? '') || null }
    }),
  )
  await updateGuardians(db, engine, JSON.stringify(whole))
  await insertTexts(db, engine, JSON.stringify(texts))
}

async function updateGuardians(db: Db, engine: Engine, json: string): Promise<void> {
  await (engine === 'postgres'
    ? sql`update students set guardians = given.guardians
        from json_to_recordset(${json}::json) as given (id bigint, guardians text) where students.id = given.id`
    : sql`update students set guardians = value ->> 'guardians'
        from json_each(${json}) where students.id = value ->> 'id'`
  ).execute(db)
}

async function insertTexts(db: Db, engine: Engine, json: string): Promise<void> {
  await (engine === 'postgres'
    ? sql`insert into guardian_texts (student_id, names, email, digits) select id, names, email, digits
        from json_to_recordset(${json}::json) as given (id bigint, names text, email text, digits text)`
    : sql`insert into guardian_texts (student_id, names, email, digits)
        select value ->> 'id', value ->> 'names', value ->> 'email', value ->> 'digits' from json_each(${json})`
  ).execute(db)
}
