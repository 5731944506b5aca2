import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import { fold } from '../../text/search-words.ts'
import { openFieldsOf } from '../cells/flat-student.ts'
import type { RowReader } from '../cells/row-values.ts'
import type { Counts, ImportRow } from '../model.ts'
import { isSeries } from '../questions/asked-values.ts'
import { twinsLeftOut } from '../questions/row-warnings.ts'
import { classesNotNamed, namesNotCompared } from '../questions/warnings.ts'
import { inTurns } from '../slices/in-turns.ts'
import { OneBehind } from '../slices/one-behind.ts'
import { erasePortion } from '../slices/staged-rows.ts'
import { note } from '../states.ts'
import type { StepWork } from '../steps.ts'
import type { Basis } from './basis.ts'
import { planClassRow } from './class-plan.ts'
import { type Aside, markDoubtful, type Searched } from './doubtful.ts'
import { warnOfSameFile } from './imported-before.ts'
import { knownSlices } from './known-slices.ts'
import { matchOf, type ReadRow } from './matching.ts'
import { countMissing, countUnnamed, tellsMissing } from './missing.ts'
import type { Candidate, Near } from './near.ts'
import { NearSearch } from './near-search.ts'
import { newestSettled } from './newcomers.ts'
import { giveNumbers } from './numbering.ts'
import { OddChanges, warnedRows } from './odd-changes.ts'
import { countPlan } from './plan-rows.ts'
import { PlanWriter } from './plan-writer.ts'
import { isOfNewAlone, type PlanRules } from './row-faults.ts'
import { planRow, type RowPlan, sees } from './row-plan.ts'
import { SeenIdentifiers } from './seen-identifiers.ts'

/** How many rows of an earlier plan are removed at once. */
const removedAtOnce = 2_000

/**
 * Plans all rows of an import anew, for the account that is to apply it. What was decided stands; rows whose record was
 * found changed since an earlier plan stay marked.
 * @param basis what the reader was made by: what changes afterwards makes the plan out of date
 * @returns the counts, which add up
 */
export async function planImport(
  imported: ImportRow,
  basis: Basis,
  reader: RowReader,
  work: StepWork,
): Promise<Counts> {
  const { db, clock } = work
  const { id, mode, settings, facts } = imported
  const isMirror = tellsMissing(imported)
  const outdated = await outdatedPlaces(db, id)
  const newest = await work.write(newestSettled) // before any student is looked at
  while (await work.write((tx) => erasePortion(tx, 'import_plan', id, removedAtOnce))) await work.beat(0)
  // Before the first row: whoever sees less than its account is shown less of it from then on.
  await work.write((tx) => note(tx, id, { planned_scopes: basis.fingerprint }))
  const rules: PlanRules = {
    mode,
    basis,
    match: matchOf(settings),
    givesNumbers: isSeries(settings.admission_number),
    lacks: reader.lacks,
    today: clock().toISOString().slice(0, 10),
    openFields: openFieldsOf([...basis.fields, ...reader.newFields]),
  }
  const rowCount = facts?.sheets.reduce((sum, { rows }) => sum + rows, 0) ?? 0
  await using search = new NearSearch(db, basis.sight, rowCount + newest) // ids count up from 1
  const { done, writes, odd, ...found } = await planRows(imported, rules, reader, work, { search, outdated })
  const { unwritten, neither, isWhole } = await markDoubtful(imported, { search, ...found }, work, done)
  const ofChanges = await odd.warnings(db, basis.sight, imported, unwritten)
  const ofFile = writes ? await warnOfSameFile(db, imported) : []
  const ofTwins = warnedRows(facts, neither).map(twinsLeftOut)
  const comparing = { imported, authority: basis.authority, isWhole: true }
  const ofClasses = isMirror ? classesNotNamed(await countUnnamed(db, comparing)) : []
  const ofNames = isWhole ? [] : [namesNotCompared]
  const warnings = [...ofFile, ...ofTwins, ...ofChanges, ...ofClasses, ...ofNames]
  if (rules.givesNumbers) await giveNumbers(imported, work, done)
  const makes = { fields: reader.newFields, newest }
  const warned = facts && { ...facts, warnings: [...facts.warnings, ...warnings] }
  await work.write((tx) => note(tx, id, { makes, ...(warned && { facts: warned }) }))
  const missing = isMirror ? await countMissing(db, comparing) : 0
  return countPlan(db, id, missing)
}

/** What is known once each row is planned by itself. */
interface PlannedRows extends Omit<Searched, 'search'> {
  /** How many rows there are. */
  readonly done: number
  /** Whether one of them is to be written. */
  readonly writes: boolean
  readonly odd: OddChanges
}

/**
 * Plans each row by itself, and stores that.
 * @param search gets the rows that may be of students who are there
 * @param outdated the places of rows that stay marked
 */
async function planRows(
  imported: ImportRow,
  rules: PlanRules,
  reader: RowReader,
  work: StepWork,
  { search, outdated }: { readonly search: NearSearch; readonly outdated: ReadonlySet<number> },
): Promise<PlannedRows> {
  const { db } = work
  const { id, kind, mode, facts } = imported
  const { basis } = rules
  const isMirror = tellsMissing(imported)
  await using writer = new PlanWriter(work, id)
  await using adding = new OneBehind()
  const seen = new SeenIdentifiers(facts)
  const near: Near[] = []
  const odd = new OddChanges(rules.today)
  const asides: Record<Aside, Set<number>> = { leftOut: new Set(), refused: new Set(), incomplete: new Set() }
  let writes = false
  let done = 0
  for await (const { rows, known } of knownSlices(db, imported, reader)) {
    const candidates: Candidate[] = []
    await inTurns(rows, (row) => {
      const { place, id } = row
      const planned = kind === 'classes' ? planClassRow(rules, row) : planRow(rules, known, row)
      const plan = seen.checked(row, planned)
      writer.add(place, plan, outdated.has(place))
      if (plan.outcome === 'change' || plan.outcome === 'create') {
        writes = true
        odd.add(place, plan)
      }
      const aside = asideOf(plan, mode)
      // Whom a refused row may be matters where that takes away what is wrong, or where the others are missing.
      if (!plan.mayBeKnown || (aside === 'refused' && !isMirror)) return
      candidates.push({ ...candidateOf(row, plan, basis), ...(aside && { isAside: true }) })
      if (aside !== undefined) asides[aside].add(place)
      if (id === undefined) return
      if (sees(basis, known.byId.get(id))) near.push({ place, reason: 'same_id', ids: [id] })
      else if (plan.outcome === 'create') odd.addUnknownId(place)
    })
    await writer.storeWhereMany()
    await adding.begin(() => search.addRows(candidates))
    done += rows.length
    await work.beat(done)
  }
  await writer.end()
  await adding.end()
  return { done, writes, odd, near, asides, repeats: seen.firsts }
}

function asideOf({ outcome, cells }: RowPlan, mode: ImportRow['mode']): Aside | undefined {
  if (outcome === 'left_out') return 'leftOut'
  if (outcome !== 'refused' || mode === 'update') return undefined
  return mode !== 'create' && cells.every(isOfNewAlone) ? 'incomplete' : 'refused'
}

async function outdatedPlaces(db: Db, importId: number): Promise<Set<number>> {
  const query = db
    .selectFrom('import_plan')
    .select('place')
    .where('import_id', '=', importId)
    .where('outdated', '=', 1)
  const rows = await rowsBeside(db, query)
  return new Set(rows.map(({ place }) => place))
}

function candidateOf(
  { place, values }: ReadRow,
  { classId, changes }: RowPlan,
  { nameOrder }: Basis,
): Candidate {
  const text = (column: string) => {
    const value = values[column] ?? changes[column]?.[1]
    return typeof value === 'string' ? value : null
  }
  const [given, family] = [text('given_name'), text('family_name')]
  const inOrder = nameOrder === 'given_first' ? [given, family] : [family, given]
  const name = text('name') ?? (inOrder.filter((part) => part !== null).join(' ') || null)
  return {
    place,
    number: text('admission_number'),
    foldedName: name === null ? null : fold(name),
    dateOfBirth: text('date_of_birth'),
    classId,
  }
}
