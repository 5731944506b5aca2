import { type RawBuilder, sql } from 'kysely'
import type { Authority } from '../../access/authority.ts'
import { isOneOf } from '../../db/is-one-of.ts'
import type { Page, PageRequest } from '../../db/pages.ts'
import { countBeside, rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { findFields } from '../../fields/queries.ts'
import type { Static } from '../../http/json-schema.ts'
import { invalidField } from '../../problems.ts'
import { patternsOf } from '../../text/search-words.ts'
import { columnsOfFile } from '../columns/file-columns.ts'
import type { ImportRow } from '../model.ts'
import { countMissing, type MissingFrom, missingStudents } from '../planning/missing.ts'
import type { RowGroup } from '../row-messages.ts'
import { placeIn } from '../row-places.ts'
import { hasPlan, nowhere, type RowsAsked } from './asked-rows.ts'
import { calledBy } from './called.ts'
import { placesFound } from './found-rows.ts'
import { planFor, type ShownPlan } from './narrowed.ts'
import { isChangedSince, ofClassesIn, recordOfRow, seenWholly, tellsOf } from './row-conditions.ts'
import { type ShownFile, type ShownRow, type StoredRow, shownRows } from './shown-rows.ts'

/** Rows that are equally changed, or equally refused, as an answer shows them. */
export type ShownGroup = Static<typeof RowGroup>

/** Which page is asked for, and how many characters its rows may have: stored ones, with those of the file. */
interface PageAsked extends PageRequest {
  readonly mostCharacters?: number
}

/**
 * A page of a plan's rows, in the order of the file, and how many there are in all.
 * @throws Problem validation_failed where the rows of the page have too many characters
 */
export async function rowsPage(
  db: Db,
  imported: ImportRow,
  authority: Authority,
  asked: RowsAsked,
  where: PageAsked,
): Promise<Page<ShownRow>> {
  if (!hasPlan(imported)) return { items: [], total: 0 }
  const plan = await planFor(db, imported, authority)
  if (asked.outcome === 'missing')
    return missingPage(db, { imported, authority, isWhole: plan.isWhole }, where)
  const { like_row: row, like_sheet: sheet } = asked
  const isLike = row === undefined ? sql`true` : await alike(db, imported, authority, plan, { row, sheet })
  const met = sql`${await conditionsOf(db, imported, authority, asked, plan)} and ${isLike}`
  const rows = await storedRows(db, plan, where, sql`${met} order by import_plan.place ${limited(where)}`)
  return {
    items: await shownRows(db, authority, await fileOf(db, imported), rows),
    total: await countBeside(db, sql`select count(*) as count from import_plan where ${met}`),
  }
}

/**
 * A page of groups of rows that are alike, the largest first, of those of which the reader sees every cell.
 * @throws Problem validation_failed as for rows
 */
export async function groupsPage(
  db: Db,
  imported: ImportRow,
  authority: Authority,
  asked: RowsAsked,
  where: PageAsked,
): Promise<Page<ShownGroup>> {
  if (!hasPlan(imported)) return { items: [], total: 0 }
  const plan = await planFor(db, imported, authority)
  const conditions = await conditionsOf(db, imported, authority, asked, plan)
  const met = sql`${conditions} and ${await isGrouped(db, imported, authority, plan)}`
  const query = sql<{ count: number; place: number }>`
    select count(*) as count, min(place) as place from import_plan where ${met}
    group by likeness order by count(*) desc, min(place) ${limited(where)}`
  const groups = await rowsBeside(db, query)
  const places = groups.map(({ place }) => place).join() || '-1'
  const rows = await storedRows(
    db,
    plan,
    where,
    sql`import_plan.import_id = ${imported.id} and import_plan.place in (${sql.raw(places)})`,
  )
  const shown = await shownRows(db, authority, await fileOf(db, imported), rows)
  const byPlace = new Map(rows.map(({ place }, i) => [place, shown[i]!]))
  const items = groups.map(({ count, place }) => ({
    count: Number(count),
    first: byPlace.get(Number(place))!,
  }))
  const total = sql<{ count: number }>`select count(distinct likeness) as count from import_plan where ${met}`
  return { items, total: await countBeside(db, total) }
}

/** The rows that are in groups: those with an equal change or fault of which the reader sees every cell. */
async function isGrouped(
  db: Db,
  imported: ImportRow,
  authority: Authority,
  { isTold }: ShownPlan,
): Promise<RawBuilder<boolean>> {
  const isSeen = imported.kind === 'students' ? await seenWholly(db, imported, authority) : sql`true`
  return sql`(import_plan.likeness is not null and ${isSeen} and ${isTold})`
}

/** The rows in one group with a row; none where that is in no group of this reader: it would tell what it hides. */
async function alike(
  db: Db,
  imported: ImportRow,
  authority: Authority,
  plan: ShownPlan,
  like: Parameters<typeof placeIn>[1],
): Promise<RawBuilder<boolean>> {
  const place = placeIn(imported.facts, like) ?? nowhere
  const grouped = await isGrouped(db, imported, authority, plan)
  return sql`${grouped} and import_plan.likeness = (select import_plan.likeness from import_plan
    where import_plan.import_id = ${imported.id} and import_plan.place = ${place} and ${grouped})`
}

/** The sheets of an import's file, and what tells how it calls a record. */
async function fileOf(db: Db, imported: ImportRow): Promise<ShownFile> {
  const { facts, makes } = imported
  const { columns } = columnsOfFile(imported, await findFields(db))
  return { makes, sheets: facts?.sheets ?? [], calledBy: calledBy(columns, imported.settings) }
}

function limited({ page, perPage }: PageRequest): RawBuilder<unknown> {
  return sql`limit ${sql.lit(perPage)} offset ${sql.lit((page - 1) * perPage)}`
}

async function conditionsOf(
  db: Db,
  imported: ImportRow,
  authority: Authority,
  asked: RowsAsked,
  { outcome: shownOutcome, isTold, isWhole }: ShownPlan,
): Promise<RawBuilder<unknown>> {
  const { id: importId } = imported
  const { outcome, column, search = '' } = asked
  const [isKept, changedSince] = [asked.kept === 'true', asked.changed_since === 'true']
  const patterns = patternsOf(search)
  const met = [sql`import_plan.import_id = ${importId}`]
  if (!isKept) met.push(sql`import_plan.place >= 0`) // an undo lists what it kept below
  if (outcome !== undefined) met.push(sql`${shownOutcome} = ${outcome}`)
  if (asked.outdated === 'true') met.push(sql`outdated = 1`, isTold)
  if (isKept) met.push(sql`kept is not null`, isTold)
  if (column !== undefined) met.push(tellsOf(db, column), isTold)
  if (asked.decided === 'true') met.push(isWhole ? isDecided(importId) : sql`false`, isTold)
  if (changedSince) met.push(isChangedSince(imported))
  if (patterns.length > 0) {
    const places = await placesFound(db, imported, patterns)
    met.push(isOneOf(db, 'import_plan.place', places))
  }
  if (changedSince || patterns.length > 0) {
    met.push(isTold, sql`${shownOutcome} = outcome`)
    // Whom a row is of is told of classes that the reader sees: these must not tell more.
    if (imported.kind === 'students') met.push(ofClassesIn(db, authority.scopeOf('students.view')))
  }
  return sql.join(met, sql` and `)
}

const isDecided = (importId: number) =>
  sql`import_plan.place in (select place from import_decisions where import_id = ${importId})`

const fileCells = sql`(select file.cells from import_rows as file
  where file.import_id = import_plan.import_id and file.place = import_plan.place)`

/** @throws Problem validation_failed where they have more characters than they may */
async function checkSize(
  db: Db,
  { perPage, mostCharacters = Infinity }: PageAsked,
  met: RawBuilder<unknown>,
): Promise<void> {
  if (mostCharacters === Infinity) return
  const query = sql<{ characters: number | null }>`
    select sum(characters) as characters from (
      select coalesce(length(changes), 0) + coalesce(length(cells), 0) + coalesce(length(${fileCells}), 0) as characters
      from import_plan where ${met}) as rows_asked`
  const [row] = await rowsBeside(db, query)
  const characters = Number(row!.characters)
  if (characters <= mostCharacters || perPage === 1) return
  const maximum = Math.max(1, Math.floor((perPage * mostCharacters) / characters))
  const detail = `must be at most ${maximum} here, since the rows hold very long texts`
  throw invalidField('/per_page', { code: 'out_of_range', detail, params: { minimum: 1, maximum } })
}

/** @param met what `where` says of them, and what stands behind it @throws Problem validation_failed */
async function storedRows(
  db: Db,
  { outcome, isTold, isWhole }: ShownPlan,
  where: PageAsked,
  met: RawBuilder<unknown>,
): Promise<StoredRow[]> {
  await checkSize(db, where, met)
  // A row that was made keeps its doubts, and they tell of other children.
  const told = isWhole ? sql`cells` : sql`case when outcome = 'create' then null else cells end`
  const query = sql<StoredRow>`
    select import_plan.place, outcome, ${outcome} as shown_as, ${isTold} as is_told,
      ${recordOfRow} as record_id, import_plan.class_id, students.class_id as class_now, changes, ${told} as cells, outdated, kept, ${isWhole ? sql`` : sql`null as `}decision,
      ${fileCells} as file_cells
    from import_plan
    left join students on students.id = ${recordOfRow}
      and 'students' = (select kind from imports where imports.id = import_plan.import_id)
    left join import_decisions on import_decisions.import_id = import_plan.import_id
      and import_decisions.place = import_plan.place
    where ${met}`
  return rowsBeside(db, query)
}

async function missingPage(
  db: Db,
  from: MissingFrom,
  { page, perPage }: PageRequest,
): Promise<Page<ShownRow>> {
  const part = { limit: perPage, offset: (page - 1) * perPage }
  const students = await missingStudents(db, from, part)
  const items = students.map(({ id, name, admission_number, class: label }): ShownRow => {
    const texts = { name, admission_number, class: label }
    const cells = Object.entries(texts).map(([column, from]) => ({ column, from, to: null }))
    return { outcome: 'missing', id, cells, outdated: false }
  })
  return { items, total: await countMissing(db, from) }
}
