import type { Field } from '../../fields/queries.ts'
import { mostGuardians } from '../../students/list-members.ts'
import { uniqueKey } from '../../text/normalise.ts'
import type { ColumnRules } from '../reading-rules.ts'
import { type Columns, columnsOf, fieldOf, isColumn, isJoined, keptByServer, systemOf } from './columns.ts'
import { guardianColumn, guardianOf } from './guardian-columns.ts'
import type { GuardianHeading } from './guardian-words.ts'
import { foldHeading, hasReasons, headingsOf, reasonsHeading } from './headings.ts'
import { type Meaning, Meanings } from './meanings.ts'
import { areNameParts } from './name-parts.ts'
import { fieldToBe, isOpenByNow, type NewField, newFieldsOf } from './new-fields.ts'
import { ofGuardianBefore } from './unowned-parts.ts'

/** What becomes of a column of a file. */
export interface MappedColumn {
  /** Its place, from 0. */
  readonly at: number
  /** As questions name it: see `headingsOf`. */
  readonly heading: string
  /** A name of `columns.ts`; null: it is left out; undefined: it is to be asked. */
  readonly column: string | null | undefined
  /** How that was found; undefined: it was not. */
  readonly how?: 'answer' | Meaning['how'] | undefined
  /** What a column that is to be asked may be, the likeliest first. */
  readonly candidates: readonly string[]
  /** Why it is to be asked. */
  readonly why?: 'unknown' | 'unsure' | 'twice' | 'open' | undefined
}

/** The columns of a file, and the fields that are to be made of some. */
export interface ColumnMapping {
  readonly columns: Columns
  readonly mapped: readonly MappedColumn[]
  readonly newFields: readonly NewField[]
}

/**
 * Tells which column of a file means what: by an answer, or by its heading. A column whose heading is not known, may
 * mean two things, or means what another means, is to be asked.
 */
export function mapColumns(rules: ColumnRules): ColumnMapping {
  const columns = columnsOf(rules.kind, rules.fields)
  const headings = headingsOf(rules.header)
  const reasons = hasReasons(rules.header) ? 1 : 0
  const fields = newFieldsOf(rules, headings.slice(reasons))
  const answered = headings.map((heading) => answerOf(rules, columns, heading, fields))
  const meanings = new Meanings(columns, rules.header)
  const open = headings.map((heading) => isOpenByNow(rules, heading))
  const byHeading = headings.map((_, at) => meanings.of(rules.header[at] ?? ''))
  const meant = byHeading.map((one, at) => (answered[at] === undefined && !open[at] ? one : undefined))
  const numbers = guardianNumbers(meant, answered, byHeading)
  const first = headings.map((heading, at): MappedColumn => {
    if (at < reasons) return { at, heading, column: reasonsHeading, how: 'exact', candidates: [] }
    const answer = answered[at]
    if (answer !== undefined) return { at, heading, column: answer, how: 'answer', candidates: [] }
    if (open[at]) return { at, heading, column: undefined, why: 'open', candidates: [] }
    const meaning = meant[at]
    if (meaning === undefined)
      return { at, heading, column: undefined, why: 'unknown', candidates: meanings.guesses(heading) }
    const column =
      'column' in meaning ? meaning.column : 'guardian' in meaning ? numbers(meaning.guardian) : undefined
    return { at, heading, column, how: meaning.how, candidates: [] }
  })
  const named = first
    .map((one) => withName(one, meant[one.at], first))
    .map((one, _, all) => withPreferredName(one, all))
  const newFields = [...fields.values()]
    .filter(({ isThere }) => !isThere)
    .map(({ isThere: _, ...one }) => one)
  const meansClass = byHeading.filter((one) => one && 'column' in one && one.column === 'class').length > 1
  const once = named.map((one) => onlyOnce(one, named, { areClasses: meansClass, header: rules.header }))
  const mapped = once.map((one) => {
    const likely = ofGuardianBefore(one, once, rules.header, (heading) => meanings.guesses(heading))
    return likely === undefined ? one : { ...one, why: 'unknown' as const, candidates: [likely] }
  })
  return { columns, mapped, newFields }
}

/** The field of the school's own that a column holds, or that is to be made of it; undefined: it is none. */
export function ownFieldOf({ columns, newFields }: ColumnMapping, column: string): Field | undefined {
  const made = newFields.find(({ key }) => column === `fields.${key}`)
  return fieldOf(columns, column) ?? (made && fieldToBe(made))
}

/** What was answered, where it is good. */
function answerOf(
  { settings }: ColumnRules,
  columns: Columns,
  heading: string,
  newFields: ReadonlyMap<string, NewField>,
): string | null | undefined {
  const answer = settings[`column.${heading}`]
  if (answer === 'leave_out') return null
  const field = newFields.get(heading)
  if (field !== undefined) return `fields.${field.key}`
  return typeof answer === 'string' && isColumn(columns, answer) ? answer : undefined
}

/**
 * Which number a guardian gets whose heading tells none: the one that was answered for another column of the mother's,
 * or father's; else mother and father in the order in which they come. A phone whose heading names nobody takes no number
 * from them: the first guardian's is the mother's, where she comes first.
 */
function guardianNumbers(
  meant: readonly (Meaning | undefined)[],
  answered: readonly (string | null | undefined)[],
  byHeading: readonly (Meaning | undefined)[],
): (guardian: GuardianHeading) => string {
  const told = meant.flatMap((meaning) => {
    if (meaning === undefined) return []
    if ('guardian' in meaning) return meaning.guardian.number ?? (meaning.guardian.role ? [] : 1)
    return 'column' in meaning ? (guardianOf(meaning.column)?.number ?? []) : []
  })
  const saysWho = (at: number, part: string) =>
    part === 'name' || (byHeading[at] !== undefined && 'guardian' in byHeading[at])
  const ofAnswers = answered.flatMap((name, at) => {
    const found = guardianOf(name ?? '')
    return found !== undefined && saysWho(at, found.part) ? found.number : []
  })
  const taken = new Set([...told, ...ofAnswers])
  const ofRoles = new Map<string, number>()
  for (const [at, meaning] of byHeading.entries()) {
    const number = guardianOf(answered[at] ?? '')?.number
    if (number === undefined || meaning === undefined || !('guardian' in meaning)) continue
    const { role, number: told } = meaning.guardian
    if (role !== undefined && told === undefined && !ofRoles.has(role)) ofRoles.set(role, number)
  }
  for (const meaning of meant) {
    if (meaning === undefined || !('guardian' in meaning)) continue
    const { role, number } = meaning.guardian
    if (role === undefined || number !== undefined || ofRoles.has(role)) continue
    let free = 1
    while (taken.has(free)) free++
    taken.add(free)
    if (free <= mostGuardians) ofRoles.set(role, free)
  }
  return ({ part, number, role }) => guardianColumn(number ?? (role && ofRoles.get(role)) ?? 1, part)
}

/** `Name` is the whole name by itself; beside a given name alone it may be the family name. */
function withName(
  one: MappedColumn,
  meaning: Meaning | undefined,
  all: readonly MappedColumn[],
): MappedColumn {
  if (meaning === undefined || !('name' in meaning)) return one
  // In WebUntis that is a login.
  if (all.some(({ heading }) => foldHeading(heading) === 'long name'))
    return { ...one, column: undefined, why: 'unknown' }
  const { part, isSureBeside, isSureAlone } = meaning.name
  const others = all.filter(({ at }) => at !== one.at)
  const of = (name: string) => others.find(({ column }) => column === name)
  const rest = part === 'family_name' ? 'given_name' : 'family_name'
  const other = of(rest)
  const isExport = one.how === 'exact' && other?.how === 'exact'
  const isBeside = other !== undefined && of(part) === undefined && !isExport
  if (isBeside && isSureBeside) return { ...one, column: part }
  if (!isBeside && (isSureAlone || isExport)) return { ...one, column: 'name' }
  const isLikelyBeside = others.some(
    ({ column, candidates }) => column === undefined && candidates[0] === rest,
  )
  const candidates = isBeside || isLikelyBeside ? [part, 'name'] : ['name', part]
  return { ...one, column: undefined, why: 'unsure', candidates }
}

/** Beside a family name alone, what a student is called by may be the given name: else the family name is all there is. */
function withPreferredName(one: MappedColumn, all: readonly MappedColumn[]): MappedColumn {
  const has = (name: string) => all.some(({ column }) => column === name)
  const isSure = one.how === 'answer' || one.heading === one.column
  if (one.column !== 'preferred_name' || isSure) return one
  if (!has('family_name') || has('given_name') || has('name')) return one
  return { ...one, column: undefined, why: 'unsure', candidates: ['given_name', 'preferred_name'] }
}

/**
 * Of columns that mean the same, the one that was answered stays, or the one that is called just so; all stay that are
 * answered to be parts of one text. @param areClasses whether the headings of several mean the class: none is half of it
 */
function onlyOnce(
  one: MappedColumn,
  all: readonly MappedColumn[],
  { areClasses, header }: { readonly areClasses: boolean; readonly header: readonly string[] },
): MappedColumn {
  const { column, how } = one
  if (typeof column !== 'string' || keptByServer.includes(column)) return one
  const alike = all.filter(
    (other) => typeof other.column === 'string' && keyOf(other.column) === keyOf(column),
  )
  if (alike.length === 1 || areNameParts(alike, header)) return one
  const mayJoin = isJoined(column) && !(column === 'class' && areClasses)
  if (mayJoin && alike.filter((other) => other.how !== 'answer').length <= 1) return one
  const hows = ['answer', 'exact'].find((first) => alike.some((other) => other.how === first))
  const isOnly = how === hows && alike.filter((other) => other.how === hows).length === 1
  return isOnly ? one : { ...one, column: undefined, why: 'twice', candidates: [column] }
}

/** Systems of identifiers that look alike are one. */
function keyOf(column: string): string {
  const system = systemOf(column)
  return system === undefined ? column : `identifiers.${uniqueKey(system)}`
}
