import { type RawBuilder, sql } from 'kysely'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import type { NearReason } from '../codes.ts'
import type { FileFacts, ImportRow, Outcome, PlannedCell } from '../model.ts'
import { paramsOf, placeInWords } from '../row-places.ts'
import type { StepWork } from '../steps.ts'
import { forgetDecisions, hasNewDoubt } from './asked-anew.ts'
import { leftOutBeside, leftOutWithTwins, withoutAside } from './left-out-twins.ts'
import { findLikeNumbers } from './like-numbers.ts'
import type { Near, Twin } from './near.ts'
import type { NearSearch } from './near-search.ts'
import {
  type Amendment,
  amendPlanRows,
  decidedRowsAt,
  isDecided,
  likenessOfFaults,
  type StoredPlanRow,
} from './plan-rows.ts'

/** How many rows are amended at once. */
const sliceSize = 500

/** What is not looked at where numbers are compared. */
const butForThat = 'but for zeros, hyphens and other marks, or the script of its digits'

/** What to do where two rows are to be two children with one number. */
const onlyOne = 'and only one row can have the number: correct it in the file, and send the file again'

const told: Readonly<Record<NearReason, readonly [column: string, detail: string]>> = {
  same_id: ['id', 'is the id of a student whom the row does not match'],
  similar_number: ['admission_number', `is the number of a student, ${butForThat}`],
  same_name_and_date: ['date_of_birth', 'and the name are those of a student'],
  similar_name_and_date: [
    'date_of_birth',
    'is that of a student whose name differs in one character, or in spellings such as ae for ä',
  ],
  // Whether the student has a date of birth is not told: not everybody may see it.
  same_name_and_class: ['name', 'is that of a student of the class, and no dates of birth tell them apart'],
  same_name_and_class_other_date: [
    'date_of_birth',
    'is another than that of a student of this name and class',
  ],
}

/** What makes rows doubtful, or refused, which no row shows by itself; by place. */
interface Findings {
  readonly doubts: Map<number, readonly PlannedCell[]>
  readonly repeats: Map<number, readonly PlannedCell[]>
  /** Of the file: the sheets have names. */
  readonly facts: FileFacts | null
}

/**
 * Why a row that matches nobody is not written: it is left out by hand, it is refused, or it is refused for what a new
 * student alone needs. Whom the last may be is asked.
 */
export type Aside = 'leftOut' | 'refused' | 'incomplete'

export interface Searched {
  readonly search: NearSearch
  /** Rows that give the id of a student whom they do not match. */
  readonly near: readonly Near[]
  /** The places of rows that match nobody, and are not written. */
  readonly asides: Readonly<Record<Aside, ReadonlySet<number>>>
  /** What is wrong with rows that have an identifier of a later row, by place. */
  readonly repeats: ReadonlyMap<number, readonly PlannedCell[]>
}

interface Marked {
  /** The places of rows that are doubtful or refused, and so not written. */
  readonly unwritten: ReadonlySet<number>
  /** The places that `leftOutWithTwins` gives. */
  readonly neither: readonly number[]
  /** Whether all names were compared. */
  readonly isWhole: boolean
}

type AmendmentsOf<One> = (some: readonly One[]) => readonly Amendment[] | Promise<readonly Amendment[]>

/**
 * Marks rows by what none shows by itself. A row is doubtful that matches nobody, and may be of a student who is there
 * or of another row's child. So is one that gives another row's number. Neither is where somebody decided that it is a
 * new student.
 * Rows that match the same student are refused, and so is one that gives the label of an earlier row's class.
 * @param done how many rows are planned
 */
export async function markDoubtful(
  { id, kind, mode, facts }: Pick<ImportRow, 'id' | 'kind' | 'mode' | 'facts'>,
  { search, near, asides, repeats }: Searched,
  work: StepWork,
  done: number,
): Promise<Marked> {
  const { db } = work
  const { leftOut, refused, incomplete } = asides
  const findings: Findings = { doubts: new Map(), repeats: new Map(repeats), facts }
  const beat = () => work.beat(done)
  const found = await search.found(beat)
  const known = [...near, ...found.near]
  const foundTwins = withoutAside(found.twins, refused.union(incomplete))
  for (const { place, reason, ids } of known) {
    if (leftOut.has(place) || refused.has(place)) continue
    const [column, detail] = told[reason]
    addTo(findings.doubts, place, { column, code: reason, detail, ids })
  }
  if (mode !== 'update') {
    const twins = [
      ...withoutAside(foundTwins, leftOut),
      ...(await findLikeNumbers(db, id, found.likeNumbers, beat)),
    ]
    for (const { place, ...twin } of twins) addTo(findings.doubts, place, cellOf(twin, facts))
  }
  if (kind === 'classes') await findRepeatedLabels(db, id, findings)
  else {
    for (const column of ['record_id', 'number_key'] as const) {
      for (const group of await repeated(db, id, column, orNotTaken)) tellRepeated(group, findings)
    }
  }
  const places = [...new Set([...findings.doubts.keys(), ...findings.repeats.keys()])].sort((a, b) => a - b)
  const unwritten = new Set<number>()
  const amend = async <One>(all: readonly One[], amendmentsOf: AmendmentsOf<One>) => {
    for (let at = 0; at < all.length; at += sliceSize) {
      const rows = await amendmentsOf(all.slice(at, at + sliceSize))
      await work.write((tx) => amendPlanRows(tx, id, rows))
      await beat()
    }
  }
  await amend(places, async (some) => {
    const { rows, anew } = await amendments(db, id, findings, some)
    for (const { place, outcome } of rows)
      if (outcome === 'doubtful' || outcome === 'refused') unwritten.add(place)
    if (anew.length > 0) await work.write((tx) => forgetDecisions(tx, id, anew))
    return rows
  })
  const ofRefused = Map.groupBy(
    known.filter(({ place }) => refused.has(place)),
    ({ place }) => place,
  )
  await amend([...ofRefused.keys()], (some) => withWhomTheyMayBe(db, id, ofRefused, some))
  const neither =
    mode === 'update' ? [] : await leftOutWithTwins(db, id, leftOut, { twins: foundTwins, known })
  await amend(neither, (some) => some.map(([place, other]) => leftOutBeside(place, other, facts)))
  return { unwritten, neither: neither.map(([place]) => place), isWhole: found.isWhole }
}

interface Repeated extends Pick<StoredPlanRow, 'place' | 'record_id' | 'number_key' | 'outcome'> {
  /** What several rows have. */
  readonly value: string | number
  readonly decision: string | null
}

const isTaken = sql<boolean>`outcome in ('create', 'change', 'unchanged', 'doubtful')`

/**
 * Rows that are refused, or left out with their class, count too: two numbers that a spreadsheet has made one are of two
 * children, whatever becomes of one of the rows. One that names another student by its id is known to be of that, and
 * one that is left out by hand is settled.
 */
const orNotTaken = sql<boolean>`(${isTaken}
  or (outcome = 'refused' and cells not like '%"column":"id"%')
  or (outcome = 'left_out' and not ${isDecided}))`

/** Finds rows that are of one record, or give one number: groups of two and more. */
async function repeated(
  db: Db,
  importId: number,
  column: 'record_id' | 'number_key',
  counts: RawBuilder<boolean>,
): Promise<Repeated[][]> {
  const name = sql.ref(`import_plan.${column}`)
  // Counted as they are read: where PostgreSQL takes a plan for small, it would join each of its rows with each.
  const query = sql<Repeated>`
    select found.place, found.value, found.record_id, found.number_key, found.outcome, decision
    from (
      select import_id, place, ${name} as value, record_id, number_key, outcome, count(*) over (partition by ${name}) as alike
      from import_plan where import_id = ${importId} and ${name} is not null and ${counts}
    ) as found
    left join import_decisions on import_decisions.import_id = found.import_id
      and import_decisions.place = found.place
    where alike > 1
    order by found.place`
  const rows = await rowsBeside(db, query)
  return [...Map.groupBy(rows, ({ value }) => value).values()]
}

function tellRepeated(group: readonly Repeated[], { doubts, repeats, facts }: Findings): void {
  const areNew = group.filter(({ decision }) => decision === 'new').length > 1
  const areUnknown = group.every(({ record_id }) => record_id === null)
  for (const row of group) {
    if (row.outcome === 'refused' || row.outcome === 'left_out') continue
    const other = group.find((one) => one !== row)!
    const isOfOneNumber = areUnknown || (row.number_key !== null && row.number_key === other.number_key)
    const cell = isOfOneNumber
      ? { column: 'admission_number', ...standsIn(other, facts) }
      : sameStudentAs(other, facts)
    if (areUnknown && row.decision !== 'new') addTo(doubts, row.place, { ...cell, code: 'number_twice' })
    else if (!areUnknown) addTo(repeats, row.place, { ...cell, code: 'duplicate' })
    else if (areNew) {
      const detail = `${cell.detail}, ${onlyOne}`
      addTo(repeats, row.place, { ...cell, code: 'duplicate', detail })
    }
  }
}

/** Of rows with one label, the first makes the class. */
async function findRepeatedLabels(db: Db, importId: number, { repeats, facts }: Findings): Promise<void> {
  for (const [first, ...others] of await repeated(db, importId, 'number_key', isTaken))
    for (const { place } of others)
      addTo(repeats, place, { column: 'label', code: 'duplicate', ...standsIn(first!, facts) })
}

type OtherRow = Pick<PlannedCell, 'column' | 'detail' | 'params'>

function standsIn({ place }: Repeated, facts: FileFacts | null): Omit<OtherRow, 'column'> {
  return { detail: `stands in ${placeInWords(place, facts)} too`, params: paramsOf(place, facts) }
}

/** Of a row whose number is another, or none: by a decision or an identifier. */
function sameStudentAs({ place }: Repeated, facts: FileFacts | null): OtherRow {
  const detail = `is of the same student as ${placeInWords(place, facts)}`
  return { column: 'row', detail, params: paramsOf(place, facts) }
}

function cellOf({ reason: code, others: places }: Omit<Twin, 'place'>, facts: FileFacts | null): PlannedCell {
  const other = placeInWords(places[0]!, facts)
  const [column, detail] = {
    name_and_date_twice: ['date_of_birth', `and the name are those of ${other} too`],
    name_and_class_twice: ['name', `and the class are those of ${other} too`],
    similar_number_twice: ['admission_number', `is that of ${other} too, ${butForThat}`],
  }[code] as [string, string]
  return { column, code, detail, places, params: paramsOf(places[0]!, facts) }
}

/** @returns what becomes of the rows, and the places of those that are asked about though they were decided on */
async function amendments(
  db: Db,
  importId: number,
  { doubts, repeats }: Findings,
  places: readonly number[],
): Promise<{ readonly rows: readonly Amendment[]; readonly anew: readonly number[] }> {
  const found = await decidedRowsAt(db, importId, places)
    .select(['import_plan.place', 'outcome', 'decision', 'about'])
    .execute()
  const anew: number[] = []
  const rows = found.flatMap(({ place, outcome, decision, about }): Amendment | [] => {
    const [refused, doubtful] = [repeats.get(place), doubts.get(place) ?? []]
    const isAskedAnew = decision === 'new' && refused === undefined && hasNewDoubt(doubtful, about)
    if (isAskedAnew) anew.push(place)
    if (refused !== undefined)
      return { place, outcome: 'refused', cells: refused, likeness: likenessOfFaults(refused) }
    if (decision !== 'new' || isAskedAnew)
      return { place, outcome: 'doubtful', cells: doubtful, likeness: null }
    if (outcome === 'refused') return []
    // With who it is not, which is remembered when the row is applied.
    return { place, outcome: outcome as Outcome, cells: doubtful, likeness: null }
  })
  return { rows, anew }
}

/** Refused rows, with whom each may be noted in its first cell. */
async function withWhomTheyMayBe(
  db: Db,
  importId: number,
  near: ReadonlyMap<number, readonly Near[]>,
  places: readonly number[],
): Promise<Amendment[]> {
  const rows = await decidedRowsAt(db, importId, places)
    .select(['import_plan.place', 'cells', 'likeness'])
    .where('outcome', '=', 'refused')
    .execute()
  return rows.map(({ place, cells, likeness }): Amendment => {
    const [first, ...others] = JSON.parse(cells!) as [PlannedCell, ...PlannedCell[]]
    const mayBe = [...new Set(near.get(place)!.flatMap(({ ids }) => ids))]
    return { place, outcome: 'refused', cells: [{ ...first, mayBe }, ...others], likeness }
  })
}

function addTo(cells: Map<number, readonly PlannedCell[]>, place: number, cell: PlannedCell): void {
  const before = cells.get(place) ?? []
  if (!before.some(({ column, code }) => column === cell.column && code === cell.code))
    cells.set(place, [...before, cell])
}
