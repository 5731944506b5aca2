import type { Insertable } from 'kysely'
import { lockPlatform } from '../../access/platform.ts'
import { findClasses, type ListedClass } from '../../classes/queries.ts'
import { type Page, type PageRequest, pageOf } from '../../db/pages.ts'
import type { Db, Instant, Tables } from '../../db/tables.ts'
import { updateRow } from '../../db/versions.ts'

import type { Static } from '../../http/json-schema.ts'
import { type Fault, Problem } from '../../problems.ts'

import { uniqueKey } from '../../text/normalise.ts'
import type { ImportKind, Settings } from '../model.ts'
import { answersThatHold, withLabels } from './kept-classes.ts'
import type * as schema from './schema.ts'

/** How many mappings the school keeps of a kind: beyond it, the one longest unused goes. */
const maxMappings = 500

const longestName = 100

/** Answers that the school keeps for files with the same headings, and that hold by now. */
type Mapping = Static<typeof schema.Mapping>

const selectMappings = (db: Db) =>
  db.selectFrom('import_mappings').select(['id', 'kind', 'name', 'headings', 'answers', 'updated_at'])

type Row = Awaited<ReturnType<ReturnType<typeof selectMappings>['executeTakeFirstOrThrow']>>

function toMapping({ kind, headings, answers, ...row }: Row, classes: readonly ListedClass[]): Mapping {
  const holding = answersThatHold(JSON.parse(answers), classes)
  return { ...row, kind: kind as ImportKind, headings: JSON.parse(headings), answers: holding }
}

/** One page of the mappings, in the order of ids, and the exact total. */
export async function pageOfMappings(db: Db, where: PageRequest): Promise<Page<Mapping>> {
  const { items, total } = await pageOf(selectMappings(db).orderBy('id'), where)
  const classes = await findClasses(db)
  return { items: items.map((row) => toMapping(row, classes)), total }
}

/** The mapping for files with these headings, folded. */
export async function findMapping(
  db: Db,
  kind: ImportKind,
  headings: readonly string[],
): Promise<Mapping | undefined> {
  const row = await findRow(db, kind, headings)
  return row && toMapping(row, await findClasses(db))
}

function findRow(db: Db, kind: ImportKind, headings: readonly string[]): Promise<Row | undefined> {
  return selectMappings(db)
    .where('kind', '=', kind)
    .where('headings', '=', JSON.stringify(headings))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/** What is to be kept. Without a name, the first headings are one. */
export interface Kept {
  readonly kind: ImportKind
  readonly name?: string | undefined
  readonly header: readonly string[]
  readonly headings: readonly string[]
  readonly answers: Settings
}

/** What is wrong with a name for answers: that other headings have it. It stays free until the end of this write. */
export async function faultOfName(
  db: Db,
  kind: ImportKind,
  headings: readonly string[],
  name: string,
): Promise<Fault | undefined> {
  await lockPlatform(db) // names are unique
  const named = await db
    .selectFrom('import_mappings')
    .select('id')
    .where('kind', '=', kind)
    .where('name_key', '=', uniqueKey(name))
    .executeTakeFirst()
  if (named === undefined || named.id === (await findRow(db, kind, headings))?.id) return undefined
  const detail =
    'is the name of answers for other headings; choose another, or delete those (GET /api/import-mappings lists them)'
  return { code: 'taken', detail }
}

/** Keeps answers: in the mapping for these headings, or in a new one. Their name is one without a fault. */
export async function keepMapping(db: Db, kept: Kept, now: Instant): Promise<{ id: number; name: string }> {
  await lockPlatform(db) // names are unique
  const { kind, headings, answers } = kept
  const before = await findRow(db, kind, headings)
  const name = kept.name ?? before?.name ?? (await freeName(db, kind, kept.header))
  const columns = {
    name,
    name_key: uniqueKey(name),
    headings: JSON.stringify(headings),
    answers: JSON.stringify(withLabels(answers, await findClasses(db))),
  }
  if (before === undefined)
    return { id: await insertMapping(db, { ...columns, kind, created_at: now, updated_at: now }), name }
  await updateRow(db, 'import_mappings', before.id, columns, now)
  return { id: before.id, name }
}

async function insertMapping(db: Db, columns: Insertable<Tables['import_mappings']>): Promise<number> {
  const { id } = await db
    .insertInto('import_mappings')
    .values(columns)
    .returning('id')
    .executeTakeFirstOrThrow()
  await deleteUnused(db, columns.kind)
  return id
}

/** The first headings; with a number where another mapping has them as its name. */
async function freeName(db: Db, kind: ImportKind, header: readonly string[]): Promise<string> {
  const named = header.map((heading) => heading.trim()).filter((heading) => heading !== '')
  const text = [...named.slice(0, 3).join(', ')].slice(0, longestName - 5).join('') || 'Mapping'
  const taken = await db.selectFrom('import_mappings').select('name_key').where('kind', '=', kind).execute()
  const isFree = (name: string) => !taken.some(({ name_key }) => name_key === uniqueKey(name))
  for (let number = 1; ; number++) {
    const name = number === 1 ? text : `${text} ${number}`
    if (isFree(name)) return name
  }
}

async function deleteUnused(db: Db, kind: string): Promise<void> {
  const used = db
    .selectFrom('import_mappings')
    .select('id')
    .where('kind', '=', kind)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxMappings)
  await db.deleteFrom('import_mappings').where('kind', '=', kind).where('id', 'not in', used).execute()
}

/** @throws Problem import_mapping_not_found */
export async function deleteMapping(db: Db, id: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('import_mappings')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) return
  const detail = 'There is no mapping with this id; GET /api/import-mappings lists the mappings.'
  throw new Problem('import_mapping_not_found', detail)
}
