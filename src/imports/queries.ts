import { type Selectable, sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import { isOneOf } from '../db/is-one-of.ts'
import { type Page, type PageRequest, pageOf } from '../db/pages.ts'
import { rowsBeside } from '../db/read-beside.ts'
import type { Db, Tables } from '../db/tables.ts'
import type { Static } from '../http/json-schema.ts'
import { Problem } from '../problems.ts'
import { type Answer, type AnswersKnown, type FileFacts, type ImportRow, unfinishedStates } from './model.ts'
import type { listImports } from './schema.ts'
import type { Sight } from './sight.ts'

/** The columns of an import that a list needs. */
const listedColumns = [
  'id',
  'created_at',
  'updated_at',
  'kind',
  'mode',
  'state',
  'user_id',
  'command',
  'file_name',
  'file_format',
  'file_bytes',
  'counts',
  'done',
  'total',
  'failure',
  'planned_scopes',
  'change_set_id',
  'undo_set_id',
  'emptied_at',
] as const

/** All, but for those of its upload and its lease. */
const columns = [
  ...listedColumns,
  'version',
  'address',
  'request_id',
  'facts',
  'settings',
  'questions',
  'makes',
  'planned_for',
  'applied_to',
  'undone_from',
] as const

type Row = Pick<Selectable<Tables['imports']>, (typeof columns)[number]>

/** An import as a list shows it. */
export type ListedRow = Pick<ImportRow, (typeof listedColumns)[number]>

export async function findImport(db: Db, id: number): Promise<ImportRow | undefined> {
  const row = await db.selectFrom('imports').select(columns).where('id', '=', id).executeTakeFirst()
  return row && toImport(row)
}

/** Imports of which a part is in the records, the oldest first: an instance goes on with them, or a command ends them. */
export function findHalfDone(db: Db): Promise<{ id: number; state: string }[]> {
  const halfDone = db.selectFrom('imports').where('state', 'in', ['applying', 'undoing'])
  return halfDone.select(['id', 'state']).orderBy('id').execute()
}

/** @throws Problem import_not_found, also for one that the reader may not see */
export async function getImport(db: Db, id: number, sight: Sight): Promise<ImportRow> {
  const imported = await findImport(db, id)
  if (imported !== undefined && sight.sees(imported)) return imported
  throw new Problem(
    'import_not_found',
    'There is no import with this id; GET /api/imports lists the imports.',
  )
}

/** Which imports are listed; without any of these, all. */
type ImportFilter = Pick<Static<typeof listImports.querystring>, 'state' | 'kind' | 'unfinished'> & {
  /** Only these. */
  readonly ids?: readonly number[] | undefined
}

/**
 * One page of the imports that the reader may see, the newest first, and the exact total. To come to the last columns of
 * an import SQLite reads its facts, which may be megabytes: only the page is read whole, and in a thread.
 */
export async function pageOfImports(
  db: Db,
  sight: Sight,
  { state, kind, unfinished, ids }: ImportFilter,
  where: PageRequest,
): Promise<Page<ListedRow>> {
  let query = db
    .selectFrom('imports')
    .select('id')
    .where((q) =>
      q.or([
        q.and([q('user_id', '=', sight.userId), q('kind', 'in', [...sight.ownKinds, ''])]),
        q('kind', 'in', [...sight.allKinds, '']),
      ]),
    )
    .orderBy('id', 'desc')
  if (state !== undefined) query = query.where('state', '=', state)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (unfinished === 'true') query = query.where('state', 'in', unfinishedStates)
  if (ids !== undefined) query = query.where(isOneOf(db, 'id', ids))
  const { items: found, total } = await pageOf(query, where)
  const ofPage = db
    .selectFrom('imports')
    .select(listedColumns)
    .where(
      isOneOf(
        db,
        'id',
        found.map(({ id }) => id),
      ),
    )
    .orderBy('id', 'desc')
  return { items: (await rowsBeside(db, ofPage)).map(toListed), total }
}

/** These alone, read beside other requests: the facts of a file may be megabytes. */
export async function findAnswers(db: Db, id: number): Promise<AnswersKnown> {
  const decided = sql<string | null>`${sql.raw(
    engineOf(db) === 'sqlite' ? "json_extract(facts, '$.decided')" : "facts::json ->> 'decided'",
  )}`.as('decided')
  const answers = db.selectFrom('imports').select(['settings', decided]).where('id', '=', id)
  const [row] = await rowsBeside(db, answers)
  const known = parsed<FileFacts['decided']>(row!.decided)
  return { settings: answersIn(row!.settings), facts: known && { decided: known } }
}

function toImport({ facts, settings, questions, makes, ...row }: Row): ImportRow {
  const answers = Object.entries(JSON.parse(settings) as Record<string, Answer | null>)
  return {
    ...toListed(row),
    facts: parsed(facts),
    settings: answersIn(settings),
    taken_back: answers.flatMap(([key, answer]) => (answer === null ? [key] : [])),
    questions: parsed(questions) ?? [],
    makes: parsed(makes),
  }
}

/** Without those that were taken back. */
function answersIn(settings: string): ImportRow['settings'] {
  const answers = Object.entries(JSON.parse(settings) as Record<string, Answer | null>)
  return Object.fromEntries(answers.filter(([, answer]) => answer !== null)) as ImportRow['settings']
}

function toListed<Listed extends Pick<Row, (typeof listedColumns)[number]>>(row: Listed) {
  return {
    ...(row as Pick<ImportRow, 'kind' | 'mode' | 'state' | 'file_format'> & typeof row),
    counts: parsed<ImportRow['counts']>(row.counts),
    failure: parsed<ImportRow['failure']>(row.failure),
  }
}

function parsed<Value>(json: string | null): Value | null {
  return json === null ? null : JSON.parse(json)
}
