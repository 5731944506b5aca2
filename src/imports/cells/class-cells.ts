import { rowAt } from '../../events/import-note.ts'
import { unknownClass } from '../../students/queries.ts'
import { uniqueKey } from '../../text/normalise.ts'
import type { PlannedCell } from '../model.ts'
import type { ReadingRules } from '../reading-rules.ts'
import { withoutPointer } from './cell-readers.ts'
import { ClassLabels, faultOfLabel, type MeantClass } from './class-labels.ts'
import type { CellFault } from './faulty.ts'

/** What the cells of a row say of its class. */
interface ClassCells {
  /** Of the column `class`: a label; undefined: blank, or there is none. */
  readonly label?: string | undefined
  /** Of the column `class_id`. */
  readonly id?: number | undefined
}

/**
 * What they mean: a class, one that is to be made, none, or something that is wrong with them. `otherId`: the id tells
 * another class than the label, which is `class_id`.
 */
type ClassOfRow =
  | { readonly class_id: number | string | undefined; readonly otherId?: number }
  | { readonly leftOut: PlannedCell }
  | { readonly fault: CellFault }

/** Finds the class of each row: by an id, a label, an answer for all rows, or the name of the sheet. */
export class ClassCellReader {
  readonly #labels: ClassLabels
  readonly #found = new Map<string, MeantClass | undefined>()
  readonly #sheets: ReadingRules['sheets']
  readonly #answer: ReadingRules['settings'][string] | undefined

  constructor(rules: Pick<ReadingRules, 'classes' | 'settings' | 'mayCreateClasses' | 'sheets'>) {
    this.#labels = new ClassLabels(rules)
    this.#sheets = rules.sheets
    this.#answer = rules.settings.class_id
  }

  /** Whether an answer tells the class of rows that have none. */
  get isAnswered(): boolean {
    return this.#answer !== undefined && this.#answer !== 'none'
  }

  /** @param hasColumn whether the file tells classes: then no answer counts */
  read(place: number, { label, id }: ClassCells, hasColumn: boolean): ClassOfRow {
    if (id !== undefined) return this.#byId(id, label)
    if (label !== undefined) return this.#byLabel(label)
    if (hasColumn || !this.isAnswered) return { class_id: undefined }
    if (this.#answer === 'sheet') return this.#byLabel(this.#sheets[rowAt(place).sheet]?.name?.trim() ?? '')
    return this.#byId(Number(this.#answer))
  }

  #byId(id: number, label?: string): ClassOfRow {
    const found = this.#labels.byId(id)
    if (found === undefined) return { fault: withoutPointer(unknownClass().errors![0]!) }
    if (label === undefined || uniqueKey(found.label) === uniqueKey(label)) return { class_id: id }
    const called = this.#byLabel(label)
    return 'class_id' in called ? { ...called, otherId: id } : called
  }

  #byLabel(label: string): ClassOfRow {
    if (!this.#found.has(label)) this.#found.set(label, this.#labels.find(label))
    const meant = this.#found.get(label)
    if (meant === undefined) return { fault: faultOfLabel(label) ?? unknownLabel }
    if (meant === 'leave_out') return { leftOut: leftOutBy(label) }
    return { class_id: 'id' in meant ? meant.id : meant.create }
  }
}

export const otherClass: CellFault = {
  code: 'other_class',
  detail: 'must be the label of the class that class_id names',
}

const unknownLabel: CellFault = { code: 'unknown_class', detail: 'must be a class that is there' }

function leftOutBy(label: string): PlannedCell {
  return { column: 'class', to: label, code: 'left_out', detail: 'is a class whose rows are left out' }
}
