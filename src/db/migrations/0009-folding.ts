import { sql } from 'kysely'
import type { Db } from '../tables.ts'
import type { Engine, Migration } from './index.ts'
import { searchText as earlierText } from './search-text-of-0003.ts'
import { fold, furtherWords, searchText, uniqueKey } from './search-text-of-0009.ts'

/**
 * Folds all texts anew: more letters, apostrophes and dashes of every kind. Admission numbers and labels get keys in
 * which what looks alike is the same. Of twins that are there already the lowest id has the key; the others' keys are
 * marked with their id. Only rows whose texts or keys change are written.
 */
export const folding: Migration = {
  id: 9,
  name: 'folding',
  statements: { sqlite: [], postgres: [] },
  fill: async (db, engine) => {
    await foldUsers(db)
    await foldLabels(db)
    await foldStudents(db, engine)
  },
}

/** Stands in a marked key before the id. No number and no label can hold it. */
const mark = '\u0001'

const sliceSize = 2_000

async function foldUsers(db: Db): Promise<void> {
  const select = db.selectFrom('users').select(['id', 'name', 'email', 'search_text']).orderBy('id')
  for (let last = 0; ; ) {
    const slice = await select.where('id', '>', last).limit(sliceSize).execute()
    for (const { id, name, email, search_text } of slice) {
      const text = searchText(name, email)
      if (text === search_text) continue
      await db.updateTable('users').set({ search_text: text }).where('id', '=', id).execute()
    }
    if (slice.length < sliceSize) return
    last = slice.at(-1)!.id
  }
}

/** There are few classes. Each key that changes is set aside first, since another's may become what it was. */
async function foldLabels(db: Db): Promise<void> {
  const classes = await db.selectFrom('classes').select(['id', 'label', 'label_key']).orderBy('id').execute()
  const taken = new Set<string>()
  const keys = classes.map(({ id, label, label_key }) => {
    const key = uniqueKey(label)
    const label_free = taken.has(key) ? `${key}${mark}${id}` : key
    taken.add(key)
    return { id, before: label_key, key: label_free }
  })
  const changed = keys.filter(({ before, key }) => key !== before)
  const set = (id: number, label_key: string) =>
    db.updateTable('classes').set({ label_key }).where('id', '=', id).execute()
  for (const { id } of changed) await set(id, `${mark}${id}`)
  for (const { id, key } of changed) await set(id, key)
}

interface Student {
  readonly id: number
  readonly name: string
  readonly preferred_name: string | null
  readonly admission_number: string
  readonly admission_key: string
}

const columns = ['id', 'name', 'preferred_name', 'admission_number', 'admission_key'] as const

/** In slices, in the order of ids. ASCII texts without a grave accent fold as they did. Those with a lower id have the keys that they
 * keep. */
async function foldStudents(db: Db, engine: Engine): Promise<void> {
  const texts = sql`name || coalesce(preferred_name, '') || admission_number`
  const isNotPlain =
    engine === 'postgres'
      ? sql<boolean>`(${texts}) collate "C" ~ '[^ -_a-~]'`
      : sql<boolean>`(${texts}) glob '*[^ -_a-~]*'`
  for (let last = 0; ; ) {
    const slice = await db
      .selectFrom('students')
      .select(columns)
      .where('id', '>', last)
      .where(isNotPlain)
      .orderBy('id')
      .limit(sliceSize)
      .execute()
    const changed = slice.filter(isFoldedOtherwise)
    if (changed.length > 0) await writeSlice(db, engine, changed)
    if (slice.length < sliceSize) return
    last = slice.at(-1)!.id
  }
}

function isFoldedOtherwise({ name, preferred_name, admission_number, admission_key }: Student): boolean {
  const texts = [name, preferred_name ?? '', admission_number]
  return earlierText(...texts) !== searchText(...texts) || uniqueKey(admission_number) !== admission_key
}

async function writeSlice(db: Db, engine: Engine, slice: readonly Student[]): Promise<void> {
  const inSlice = new Set(slice.map(({ id }) => id))
  const wanted = slice.map(({ admission_number }) => uniqueKey(admission_number))
  const held = await db
    .selectFrom('students')
    .select(columns)
    .where(isAmong(engine, 'admission_key', wanted))
    .execute()
  const holders = new Map(held.filter(({ id }) => !inSlice.has(id)).map((one) => [one.admission_key, one]))
  const taken = new Set<string>()
  const rows: { readonly student: Student; readonly key: string }[] = []
  for (const [i, student] of slice.entries()) {
    const key = wanted[i]!
    const holder = holders.get(key)
    const isTaken = taken.has(key) || (holder !== undefined && holder.id < student.id)
    rows.push({ student, key: isTaken ? markedKey(key, student.id) : key })
    if (isTaken) continue
    taken.add(key)
    if (holder !== undefined) rows.push({ student: holder, key: markedKey(key, holder.id) })
  }
  // A key that another row is to have is set aside first.
  const keys = new Set(rows.map(({ key }) => key))
  const moved = rows.filter(
    ({ student: { admission_key }, key }) => key !== admission_key && keys.has(admission_key),
  )
  if (moved.length > 0) {
    const ids = moved.map(({ student }) => student.id)
    await db
      .updateTable('students')
      .set({ admission_key: sql`${mark} || id` })
      .where(isAmong(engine, 'id', ids))
      .execute()
  }
  await writeRows(db, engine, rows)
}

function markedKey(key: string, id: number): string {
  return `${key}${mark}${id}`
}

/** One statement for all of them. */
async function writeRows(
  db: Db,
  engine: Engine,
  rows: readonly { readonly student: Student; readonly key: string }[],
): Promise<void> {
  const isPostgres = engine === 'postgres'
  const given = rows.map(({ student: { id, name, preferred_name, admission_number }, key }) => {
    const texts = [name, preferred_name ?? '', admission_number]
    const folded = fold(name)
    return {
      id,
      key,
      folded,
      searched: isPostgres ? searchText(...texts) : furtherWords(folded, key, ...texts),
    }
  })
  const json = JSON.stringify(given)
  await (isPostgres
    ? sql`update students set admission_key = given.key, folded_name = given.folded, search_text = given.searched
        from json_to_recordset(${json}::json) as given (id bigint, key text, folded text, searched text)
        where students.id = given.id`
    : sql`update students set admission_key = value ->> 'key', folded_name = value ->> 'folded',
        further_words = value ->> 'searched'
        from json_each(${json}) where students.id = value ->> 'id'`
  ).execute(db)
}

function isAmong(engine: Engine, column: 'id' | 'admission_key', values: readonly (string | number)[]) {
  const json = JSON.stringify(values)
  const type = column === 'id' ? sql`bigint` : sql`text`
  return engine === 'postgres'
    ? sql<boolean>`${sql.ref(column)} in (select value::${type} from json_array_elements_text(${json}::json))`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${json}))`
}
