import { rowAt } from '../../events/import-note.ts'
import { isErrorText } from '../../sheets/error-texts.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { CellKinds } from '../cells/cell-kinds.ts'
import { ClassLabels, joinedLabel } from '../cells/class-labels.ts'
import { DateColumn } from '../cells/date-columns.ts'
import { exampleNumber } from '../cells/example-rows.ts'
import { clearMark } from '../cells/row-reader.ts'
import { type ColumnMapping, mapColumns, ownFieldOf } from '../columns/column-mapping.ts'
import { namePlaces } from '../columns/name-parts.ts'
import { behind } from '../columns/prefixes.ts'
import { type Failure, mostSamples, type Question, type Settings } from '../model.ts'
import { areNumbersAt, type ReadingRules } from '../reading-rules.ts'
import type { StagedRow } from '../slices/staged-rows.ts'
import { ClassQuestions, LabelCount, mostLabels } from './asked-classes.ts'
import { type ColumnUse, columnQuestion } from './asked-columns.ts'
import { UnnamedGuardians } from './asked-guardians.ts'
import { type Asked, type NameParts, unmatchable, valueQuestions } from './asked-values.ts'
import { ClassHalves } from './class-halves.ts'
import { FileNumbers } from './file-numbers.ts'
import { OtherRoles } from './other-roles.ts'
import { RowCount } from './row-count.ts'
import { otherRoles, type Warning, warningsOf } from './warnings.ts'

/** How much of a cell is shown with a question. */
const sampleLength = 100

/** A longer text is the label of no class: it is not asked about, and its row is refused. In characters. */
const longestLabel = 250

const joinedAt = (cells: readonly string[], places: readonly number[]) =>
  places
    .map((at) => (cells[at] ?? '').trim())
    .filter((text) => text !== '')
    .join(' ')

/** Looks through all rows of a file before one is planned: what in them only a person can decide. */
export class Survey {
  readonly #rules: ReadingRules
  readonly #uses: { rows: number; samples: Set<string> }[] = []
  readonly #dates = new Map<number, DateColumn>()
  /** Of the columns that may become fields of the school's own. */
  readonly #kinds = new Map<number, CellKinds>()
  /** Of the columns that are not known. */
  readonly #counts = new Map<number, RowCount>()
  readonly #labels = new LabelCount()
  readonly #classes: ClassLabels
  readonly #unnamed: UnnamedGuardians
  readonly #roles: OtherRoles
  readonly #mapping: ColumnMapping
  readonly #classAt: readonly number[]
  readonly #halves: ClassHalves
  readonly #classIdAt: number
  readonly #numberAt: number
  readonly #clearing: string | undefined
  readonly #calledAt: readonly number[]
  readonly #nameAt: readonly [given: readonly number[], family: readonly number[]]
  /** The parts of some names. */
  readonly #names: NameParts[] = []
  #rows = 0
  #blankRows = 0
  #numbered = 0
  readonly #numbers: FileNumbers

  constructor(rules: ReadingRules) {
    this.#rules = rules
    this.#classes = new ClassLabels(rules)
    this.#numbers = new FileNumbers(rules.nextNumber)
    this.#clearing = clearMark(rules)
    this.#mapping = mapColumns(rules)
    this.#unnamed = new UnnamedGuardians(this.#mapping, rules)
    this.#roles = new OtherRoles(rules.header)
    const { mapped } = this.#mapping
    const placeOfColumn = (name: string) => mapped.findIndex(({ column }) => column === name)
    this.#classAt = mapped.flatMap(({ at, column }) => (column === 'class' ? at : []))
    this.#halves = new ClassHalves(mapped, rules.header)
    this.#classIdAt = placeOfColumn('class_id')
    this.#numberAt = placeOfColumn('admission_number')
    const parts = namePlaces(mapped, rules.header, 'given_first')
    const placesOf = (name: string) =>
      mapped
        .flatMap(({ at, column }) => (column === name ? at : []))
        .sort((one, other) => (parts.get(one)?.place ?? 0) - (parts.get(other)?.place ?? 0))
    this.#nameAt = [placesOf('given_name'), placesOf('family_name')]
    const wholeAt = placesOf('name')
    this.#calledAt = wholeAt.length > 0 ? wholeAt : this.#nameAt.flat()
    for (const { at, column, heading } of mapped) {
      if (column === undefined) this.#counts.set(at, new RowCount())
      if (column === undefined && rules.mayCreateFields)
        this.#kinds.set(at, new CellKinds(areNumbersAt(rules, at)))
      if (typeof column !== 'string') continue
      const isDate = column === 'date_of_birth' || ownFieldOf(this.#mapping, column)?.kind === 'date'
      if (isDate) this.#dates.set(at, new DateColumn(heading, column, rules.thisYear))
    }
  }

  /** Adds a row. One of a sheet that is not imported is none. */
  add({ place, cells }: StagedRow): void {
    if (this.#rules.sheets[rowAt(place).sheet]?.header_row === null) return
    const number = (cells[this.#numberAt] ?? '').trim()
    if (number === exampleNumber) {
      this.#rows++
      this.#numbered++
      return
    }
    let isBlank = true
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at]!
      if (cell === '' || cell.trim() === '') continue
      isBlank = false
      const use = this.#uses[at] ?? { rows: 0, samples: new Set() }
      this.#uses[at] = use
      use.rows++
      if (use.samples.size < mostSamples) use.samples.add(cell.trim().slice(0, sampleLength))
      this.#dates.get(at)?.add(cell)
      this.#kinds.get(at)?.add(cell)
      this.#counts.get(at)?.add(cell)
    }
    if (isBlank) return void this.#blankRows++
    this.#rows++
    if (number !== '') this.#numbered++
    this.#numbers.add(number)
    this.#addName(cells)
    this.#halves.add(cells)
    this.#unnamed.add(cells)
    this.#roles.add(cells)
    const label = this.#labelOf(place, cells)
    if (label && label.length <= longestLabel && !isErrorText(label))
      this.#labels.add(label, this.#nameOf(cells))
  }

  /** How many rows there are; blank ones are none. */
  get rows(): number {
    return this.#rows
  }

  /**
   * What is to be asked; where something is required, there is no plan without an answer. Each question is made when it
   * is taken: to find the classes that a label may mean takes milliseconds.
   */
  *questions(): Generator<Question> {
    const ofColumns = this.#columnQuestions()
    yield* ofColumns
    if (this.#rules.kind === 'classes') return
    for (const one of this.#dates.values()) {
      const question = one.question(this.#rules.settings)
      if (question !== undefined) yield question
    }
    if (!this.#halves.areThere) yield* this.#classQuestions() // of half a class nothing is asked
    // A column that is still to be told may be the one that is missing.
    if (ofColumns.length === 0) yield* valueQuestions(this.#asked)
  }

  /** Why the file can't be imported, whatever is answered; undefined: it can. */
  refusal(): Failure | undefined {
    if (this.#rows === 0)
      return { code: 'no_rows', detail: 'The file has a header, and no row below it that holds anything.' }
    if (this.#rules.kind === 'classes' || this.#columnQuestions().length > 0) return undefined
    return unmatchable(this.#asked)
  }

  /** What people ought to know of the file, and nobody need answer. */
  warnings(): Warning[] {
    const uses = this.#mapping.mapped.map((one) => ({ ...one, rows: this.#use(one.at).rows }))
    const roles = { heading: uses[this.#roles.at]?.heading ?? '', rows: this.#roles.rows }
    return [
      ...warningsOf(this.#rules, this.#mapping, uses, { all: this.#rows, blank: this.#blankRows }),
      ...(roles.rows === 0 ? [] : [otherRoles(roles.heading, roles.rows)]),
    ]
  }

  /** What the file told by itself, by the keys of questions. `rowReader` takes it among the answers. */
  decided(): Settings {
    const columns = this.#mapping.mapped.flatMap(({ heading, column, at, how }) => {
      const isEmpty = column === undefined && this.#use(at).rows === 0
      if (how === 'answer' || (column === undefined && !isEmpty)) return []
      return [[`column.${heading}`, isEmpty || column === null ? 'leave_out' : column] as const]
    })
    const orders = [...this.#dates.values()].flatMap(({ key, told }) =>
      told === undefined ? [] : [[key, told] as const],
    )
    return Object.fromEntries([...columns, ...orders]) as Settings
  }

  /** Answers of these that were kept from another file, and may be wrong here. */
  unfit(kept: readonly string[]): string[] {
    const { settings } = this.#rules
    return [...this.#dates.values()].flatMap((one) =>
      kept.includes(one.key) && one.isUnfit(settings) ? one.key : [],
    )
  }

  /** Answers on labels of classes that the file has not. */
  absent(): string[] {
    const there = this.#labels.keys()
    return Object.keys(this.#rules.settings).filter((key) => {
      const label = behind('class.', key)
      return label !== undefined && !there.has(uniqueKey(label))
    })
  }

  /** What a row calls its class, where no id tells the same. A text that clears values is no label. */
  #labelOf(place: number, cells: readonly string[]): string | undefined {
    const id = (cells[this.#classIdAt] ?? '').trim()
    if (this.#classAt.length === 0) return id === '' ? this.#sheetLabel(place) : undefined
    let label: string | undefined
    for (const at of this.#classAt) {
      const part = cells[at]?.trim()
      if (part) label = joinedLabel(label, part)
    }
    const isTold = id !== '' && label === this.#classes.byId(Number(id))?.label
    return label === this.#clearing || isTold ? undefined : label
  }

  /** How the file calls the child. */
  #nameOf(cells: readonly string[]): string {
    return joinedAt(cells, this.#calledAt).slice(0, sampleLength)
  }

  #addName(cells: readonly string[]): void {
    if (this.#names.length === mostSamples) return
    const [given, family] = this.#nameAt.map((places) => joinedAt(cells, places).slice(0, sampleLength))
    const isShown = this.#names.some((name) => name.given === given && name.family === family)
    if (given && family && !isShown) this.#names.push({ given, family })
  }

  /** The name of the sheet, where that is the class. */
  #sheetLabel(place: number): string | undefined {
    const { settings, sheets } = this.#rules
    return settings.class_id === 'sheet' && this.#classIdAt < 0
      ? sheets[rowAt(place).sheet]?.name?.trim()
      : undefined
  }

  #use(at: number): ColumnUse {
    const use = this.#uses[at]
    const [rows, samples] = [use?.rows ?? 0, [...(use?.samples ?? [])]]
    const [kinds, countsRows] = [this.#kinds.get(at)?.all, this.#counts.get(at)?.counts]
    return { rows, samples, kinds, countsRows, isHalfOfClass: this.#halves.isHalf(at) }
  }

  get #asked(): Asked {
    const unnumbered = this.#rows - this.#numbered
    const [rules, mapping, unnamed] = [this.#rules, this.#mapping, this.#unnamed]
    return { rules, mapping, unnumbered, unnamed, numbers: this.#numbers, names: this.#names }
  }

  /** A column without a value needs no answer. */
  #columnQuestions(): Question[] {
    const mapping = this.#mapping
    return mapping.mapped
      .filter(({ column, at }) => column === undefined && this.#use(at).rows > 0)
      .map((one) => columnQuestion(one, this.#use(one.at), mapping, this.#rules))
  }

  *#classQuestions(): Generator<Question> {
    const unknown = this.#labels.unknown(this.#classes)
    const mapping = this.#mapping
    const column = mapping.mapped[this.#classAt[0] ?? -1]
    if (unknown.length <= mostLabels || column === undefined) {
      const asked = unknown.slice(0, mostLabels)
      const classes = new ClassQuestions(this.#rules, asked)
      for (const one of asked) yield classes.question(one)
      return
    }
    // Who said that it holds classes all the same is not asked again: the rows of unknown ones are refused.
    if (column.how === 'answer') return
    const text = `The column "${column.heading}" names ${unknown.length} classes that are not there; at most ${mostLabels} are asked about. What does it hold? If these are classes, import them first.`
    yield { ...columnQuestion(column, this.#use(column.at), mapping, this.#rules), text }
  }
}
