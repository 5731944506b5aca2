import type { Fault } from '../../problems.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { behind } from '../columns/prefixes.ts'
import { readText, type TextRule } from '../columns/text-rules.ts'
import type { Answer } from '../model.ts'
import type { KnownClass, ReadingRules } from '../reading-rules.ts'

/** What a label in a file means: the id of a class, a class that is to be made, or rows that are left out. */
export type MeantClass = { readonly id: number } | { readonly create: string } | 'leave_out'

/**
 * The label of the class that an answer on another makes: its own by `create`, and by `create:7a` that one, which other
 * rows of the file may name. Undefined: the answer makes none.
 */
export function labelMade(label: string, answer: Answer): string | undefined {
  if (answer === 'create') return label
  return /^create:(.*)$/s.exec(String(answer))?.[1]
}

/** The label of a class that stands in several columns: `7` and `b` are `7b`, `1 ESO` and `A` are `1 ESO A`. @param before of those before */
export function joinedLabel(before: string | undefined, part: string): string {
  if (before === undefined) return part
  return /\d$/.test(before) && /^\p{L}$/u.test(part) ? before + part : `${before} ${part}`
}

/** Labels by which classes are meant. */
export class ClassLabels {
  readonly #byId: ReadonlyMap<number, KnownClass>
  readonly #byLabel: ReadonlyMap<string, KnownClass>
  readonly #byKey: ReadonlyMap<string, readonly KnownClass[]>
  readonly #answers = new Map<string, MeantClass>()
  readonly #mayCreate: boolean

  constructor({
    classes,
    settings,
    mayCreateClasses,
  }: Pick<ReadingRules, 'classes' | 'settings' | 'mayCreateClasses'>) {
    this.#byId = new Map(classes.map((one) => [one.id, one]))
    this.#byLabel = new Map(classes.map((one) => [one.label, one]))
    this.#byKey = Map.groupBy(classes, ({ label }) => uniqueKey(label))
    this.#mayCreate = mayCreateClasses
    for (const [key, answer] of Object.entries(settings)) {
      const label = behind('class.', key)
      if (label === undefined) continue
      const meant = this.#meantBy(label, answer)
      if (meant !== undefined) this.#answers.set(uniqueKey(label), meant)
    }
  }

  /** An answer wins over a class that has the label: that one came afterwards. @returns undefined where that is to be asked */
  find(label: string): MeantClass | undefined {
    return this.#answers.get(uniqueKey(label)) ?? this.#called(label)
  }

  /** The class that has a label, or alone has one like it. */
  #called(label: string): MeantClass | undefined {
    const exact = this.#byLabel.get(label)
    if (exact !== undefined) return { id: exact.id }
    const alike = this.#byKey.get(uniqueKey(label)) ?? []
    return alike.length === 1 ? { id: alike[0]!.id } : undefined
  }

  /** The class with this id. */
  byId(id: number): KnownClass | undefined {
    return this.#byId.get(id)
  }

  #meantBy(label: string, answer: Answer): MeantClass | undefined {
    if (answer === 'leave_out') return 'leave_out'
    const made = labelMade(label, answer)
    if (made !== undefined)
      return this.#mayCreate && canBeLabel(made) ? (this.#called(made) ?? { create: made }) : undefined
    const found = this.#byId.get(Number(answer))
    return found && { id: found.id }
  }
}

const rule: TextRule = { format: 'class-label', maxLength: 100 }

/** Why no class can have a label. */
export function faultOfLabel(label: string): Fault | undefined {
  const read = readText(rule, label)
  return typeof read === 'string' ? undefined : read
}

/** Whether a class can have this label. */
export function canBeLabel(label: string): boolean {
  return readText(rule, label) === label
}
