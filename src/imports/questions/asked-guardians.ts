import type { ColumnMapping } from '../columns/column-mapping.ts'
import { guardianColumn, guardianOf } from '../columns/guardian-columns.ts'
import {
  hasRelation,
  isNaming,
  nameByRelation,
  relationWords,
  unnamedGuardian,
} from '../columns/unnamed-guardians.ts'
import { unownedColumns } from '../columns/unowned-parts.ts'
import { type Choice, mostSamples, type Question } from '../model.ts'
import type { ReadingRules } from '../reading-rules.ts'

/** How many columns the question names. */
const mostNamed = 5

/** How much of a heading it shows, in characters. */
const longestShown = 100

/** A guardian's columns in a file: those of the name, and the others, by their places. */
interface Columns {
  readonly names: readonly number[]
  readonly others: readonly number[]
}

const hasValue = (cells: readonly string[], at: number) => (cells[at] ?? '').trim() !== ''

/** Counts rows that have something of a guardian, and not the name. */
export class UnnamedGuardians {
  readonly #guardians: readonly Columns[]
  /** Places of columns with a value of such a guardian. */
  readonly #places = new Set<number>()
  /** Those of a phone whose heading names nobody: it is that of whoever has a name in the row. */
  readonly #unowned: ReadonlySet<number>
  #rows = 0

  constructor({ mapped }: ColumnMapping, { header }: Pick<ReadingRules, 'header'>) {
    const unowned = unownedColumns(mapped, header)
    this.#unowned = new Set(mapped.flatMap(({ at, column }) => (unowned.has(column ?? '') ? at : [])))
    const told = mapped.flatMap(({ at, column }) => {
      const found = guardianOf(column ?? '')
      return found === undefined ? [] : [{ at, ...found }]
    })
    this.#guardians = [...Map.groupBy(told, ({ number }) => number).values()].map((columns) => ({
      names: columns.flatMap(({ part, at }) => (part === 'name' ? at : [])),
      others: columns.filter(({ part }) => part !== 'name').map(({ at }) => at),
    }))
  }

  add(cells: readonly string[]): void {
    const unnamed = this.#guardians.filter(({ names }) => !names.some((at) => hasValue(cells, at)))
    const isOfAnother = (at: number) => this.#unowned.has(at) && unnamed.length < this.#guardians.length
    const given = unnamed.flatMap(({ others }) =>
      others.filter((at) => hasValue(cells, at) && !isOfAnother(at)),
    )
    for (const at of given) this.#places.add(at)
    if (given.length > 0) this.#rows++
  }

  /** Asks what new ones are called. Who is there already keeps the name. */
  question({ mapped }: ColumnMapping, { mode, settings, header }: ReadingRules): Question | undefined {
    if (mode === 'update' || isNaming(settings.guardian_name)) return undefined
    const columns = mapped.flatMap(({ at, heading, column }) => {
      const number = guardianOf(column ?? '')?.number
      return number !== undefined && this.#places.has(at) ? [{ at, heading, number }] : []
    })
    const [first] = columns
    if (first === undefined) return undefined
    const told = columns.filter(({ at }) => !this.#unowned.has(at))
    const numbers = [...new Set(told.map(({ number }) => number))]
    const words = relationWords(mapped, header)
    const names = numbers.flatMap((number) => {
      const word = words.get(number)
      return word === undefined || hasRelation(mapped, number) ? [] : [nameByRelation(word)]
    })
    const isTold = names.length > 0 || numbers.some((number) => hasRelation(mapped, number))
    const about = guardianColumn(first.number, 'name')
    const named: Choice = isTold
      ? {
          answer: 'relation',
          text: `What the guardian is to the student; "${unnamedGuardian}" where nothing says it`,
          ...(names.length > 0 && { samples: [...new Set(names)].slice(0, mostSamples), about }),
        }
      : {
          answer: unnamedGuardian,
          text: `"${unnamedGuardian}", or another name for all`,
          samples: [unnamedGuardian],
          about,
        }
    const headings = columns
      .slice(0, mostNamed)
      .map(({ heading }) => `"${[...heading].slice(0, longestShown).join('')}"`)
    const more = columns.length > mostNamed ? ' …' : ''
    const inRows = this.#rows === 1 ? 'In one row' : `In ${this.#rows} rows`
    return {
      key: 'guardian_name',
      text: `${inRows} a guardian has no name (${headings.join(', ')}${more}). What is a new guardian called? One who is there keeps the name.`,
      required: true,
      rows: this.#rows,
      choices: [named, { answer: 'leave_out', text: 'Nobody: make no guardian without a name' }],
    }
  }
}
