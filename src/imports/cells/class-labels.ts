import type { Fault } from '../../problems.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { readText, type TextRule } from '../columns/text-rules.ts'
import type { Facts, KnownClass } from '../facts.ts'
import type { Answer, Settings } from '../model.ts'

/** What a label in a file means: the id of a class, a class that is to be made, or rows that are left out. */
export type MeantClass = { readonly id: number } | { readonly create: string } | 'leave_out'

/** Labels by which classes are meant. */
export class ClassLabels {
  readonly #classes: readonly KnownClass[]
  readonly #byLabel: ReadonlyMap<string, KnownClass>
  readonly #byKey: ReadonlyMap<string, readonly KnownClass[]>
  readonly #answers = new Map<string, MeantClass>()
  readonly #mayCreate: boolean

  constructor({
    classes,
    settings,
    mayCreateClasses,
  }: Pick<Facts, 'classes' | 'settings' | 'mayCreateClasses'>) {
    this.#classes = classes
    this.#byLabel = new Map(classes.map((one) => [one.label, one]))
    this.#byKey = Map.groupBy(classes, ({ label }) => uniqueKey(label))
    this.#mayCreate = mayCreateClasses
    for (const [label, answer] of answersOn(settings)) {
      const meant = this.#meantBy(label, answer)
      if (meant !== undefined) this.#answers.set(uniqueKey(label), meant)
    }
  }

  /** @returns undefined where that is to be asked */
  find(label: string): MeantClass | undefined {
    const exact = this.#byLabel.get(label)
    if (exact !== undefined) return { id: exact.id }
    const key = uniqueKey(label)
    const alike = this.#byKey.get(key) ?? []
    return alike.length === 1 ? { id: alike[0]!.id } : this.#answers.get(key)
  }

  /** The class with this id. */
  byId(id: number): KnownClass | undefined {
    return this.#classes.find((one) => one.id === id)
  }

  #meantBy(label: string, answer: Answer): MeantClass | undefined {
    if (answer === 'leave_out') return 'leave_out'
    if (answer === 'create') return this.#mayCreate && canBeLabel(label) ? { create: label } : undefined
    const found = this.#classes.find(({ id }) => String(id) === String(answer))
    return found && { id: found.id }
  }
}

/** The answers on labels: `class.LABEL`. */
function answersOn(settings: Settings): [label: string, answer: Answer][] {
  return Object.entries(settings)
    .filter(([key]) => key.startsWith('class.'))
    .map(([key, answer]) => [key.slice('class.'.length), answer])
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
