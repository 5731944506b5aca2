import { uniqueKey } from '../../text/normalise.ts'
import { type ClassLabels, canBeLabel } from '../cells/class-labels.ts'
import { Nearest } from '../columns/distance.ts'
import { type Choice, mostSamples, type Question } from '../model.ts'
import type { KnownClass, ReadingRules } from '../reading-rules.ts'
import { MeantClasses, namesClass } from './meant-class.ts'

/** How many labels are asked about. Where more are not known, the column is hardly one of classes. */
export const mostLabels = 200

/** How far a label may be from one that is proposed for it, and how many are. */
const [within, most] = [3, 5]

/** A label that no class has, how many rows name it, and whom some of them are of. */
interface UnknownLabel {
  readonly label: string
  readonly rows: number
  readonly names: readonly string[]
}

/** Counts the labels of classes in a file. */
export class LabelCount {
  readonly #rows = new Map<string, { rows: number; readonly names: string[] }>()

  /** @param name how the file calls the child; '': it does not */
  add(label: string, name: string): void {
    const found = this.#rows.get(label) ?? { rows: 0, names: [] }
    this.#rows.set(label, found)
    found.rows++
    if (name !== '' && found.names.length < mostSamples) found.names.push(name)
  }

  /** How the labels look: see `uniqueKey`. */
  keys(): ReadonlySet<string> {
    return new Set([...this.#rows.keys()].map(uniqueKey))
  }

  /** Those that mean nothing yet; labels that look alike are one. */
  unknown(labels: ClassLabels): UnknownLabel[] {
    const unknown = [...this.#rows].filter(([label]) => labels.find(label) === undefined)
    const alike = Map.groupBy(unknown, ([label]) => uniqueKey(label))
    return [...alike.values()].map((all) => ({
      label: all[0]![0],
      rows: all.reduce((sum, [, { rows }]) => sum + rows, 0),
      names: all.flatMap(([, { names }]) => names).slice(0, mostSamples),
    }))
  }
}

/** Asks which class is meant by a label that no class has, or several have. */
export class ClassQuestions {
  readonly #byKey: ReadonlyMap<string, readonly KnownClass[]>
  readonly #near: Nearest<KnownClass>
  readonly #meant: MeantClasses<KnownClass>
  readonly #written: ReadonlyMap<string, string>
  readonly #mayCreate: boolean

  /** @param unknown all of the file that are asked about */
  constructor(
    { classes, mayCreateClasses }: Pick<ReadingRules, 'classes' | 'mayCreateClasses'>,
    unknown: readonly UnknownLabel[],
  ) {
    this.#byKey = Map.groupBy(classes, ({ label }) => uniqueKey(label))
    const open = classes.filter(({ archived, usable }) => usable && !archived)
    this.#near = new Nearest(open, ({ label }) => uniqueKey(label))
    this.#meant = new MeantClasses(open)
    this.#written = writtenOtherwise(unknown)
    this.#mayCreate = mayCreateClasses
  }

  question({ label, rows, names }: UnknownLabel): Question {
    const alike = this.#byKey.get(uniqueKey(label)) ?? []
    const inRows = rows === 1 ? 'One row names it' : `${rows} rows name it`
    const what =
      alike.length > 0
        ? `Several classes are called "${label}"`
        : `No class that you see is called "${label}"`
    const leaveOut: Choice = {
      answer: 'leave_out',
      text: rows === 1 ? 'Leave the row out' : 'Leave these rows out',
    }
    return {
      key: `class.${label}`,
      text: `${what}. ${inRows}. Which class is meant? The id of any class is an answer too.`,
      required: true,
      rows,
      ...(names.length > 0 && { samples: names }),
      choices:
        alike.length > 0 ? [...alike.slice(0, most).map(choiceOf), leaveOut] : this.#choices(label, leaveOut),
    }
  }

  /** A class, of the file too, stands first where it is meant but for how it is written; else what puts nobody into a wrong one. */
  #choices(label: string, leaveOut: Choice): Choice[] {
    const create: Choice = { answer: 'create', text: `Create the class "${label}"` }
    const making = this.#mayCreate && canBeLabel(label) ? [create] : []
    if (!namesClass(label)) return [leaveOut, ...making]
    const meant = this.#meant.find(label)
    const near = this.#near.to(uniqueKey(label), { within, most }).filter((one) => one !== meant?.one)
    const others = near.map(choiceOf)
    if (meant !== undefined) {
      const proposed: Choice = { ...choiceOf(meant.one), likeness: meant.likeness }
      return [proposed, ...others, ...making, leaveOut]
    }
    if (making.length === 0) return [leaveOut, ...others]
    const written = this.#written.get(label)
    if (written === undefined) return [...making, ...others, leaveOut]
    const text = `Create the class "${written}"`
    return [{ answer: `create:${written}`, text, likeness: 'spelling' }, ...making, ...others, leaveOut]
  }
}

/**
 * Which labels are another one of the file but for how they are written, as `7 a` is `7a`. The one that most rows name
 * is the label.
 */
function writtenOtherwise(labels: readonly UnknownLabel[]): ReadonlyMap<string, string> {
  const usual = new MeantClasses<UnknownLabel>([])
  const otherwise = new Map<string, string>()
  for (const one of labels.toSorted((a, b) => b.rows - a.rows)) {
    if (!canBeLabel(one.label) || !namesClass(one.label)) continue
    const meant = usual.find(one.label)
    if (meant?.likeness === 'spelling') otherwise.set(one.label, meant.one.label)
    else usual.add(one)
  }
  return otherwise
}

const choiceOf = ({ id, label }: KnownClass): Choice => ({ answer: id, text: label })
