import type { ListedClass } from '../../classes/queries.ts'
import { uniqueKey } from '../../text/normalise.ts'
import { behind } from '../columns/prefixes.ts'
import type { Answer, Settings } from '../model.ts'

/** A class that was meant by an answer, and what it was called as the answer was kept. */
interface NamedClass {
  readonly id: number
  readonly label: string
}

/** Kept answers, as they are stored. Some classes stand with their ids alone, from before their labels were kept. */
type StoredAnswers = Readonly<Record<string, Answer | NamedClass>>

/** Answers as they are stored: with the labels of the classes. */
export function withLabels(answers: Settings, classes: readonly ListedClass[]): StoredAnswers {
  const named = Object.entries(answers).map(([key, answer]) => {
    const isOnClass = key.startsWith('class.')
    const meant = isOnClass ? classes.find(({ id }) => String(id) === String(answer)) : undefined
    return [key, meant === undefined ? answer : { id: meant.id, label: meant.label }]
  })
  return Object.fromEntries(named)
}

/**
 * Of stored answers those that hold. One on a class does while that class is open and has the label that it had. It does
 * not where a class has the label that the answer is on: such a one is meant by it.
 */
export function answersThatHold(stored: StoredAnswers, classes: readonly ListedClass[]): Settings {
  const byId = new Map(classes.map((one) => [String(one.id), one]))
  const keys = new Set(classes.map(({ label }) => uniqueKey(label)))
  const holding = Object.entries(stored).flatMap(([key, answer]): [string, Answer][] => {
    const label = behind('class.', key)
    if (label === undefined) return [[key, answer as Answer]]
    const { id, label: called } = typeof answer === 'object' ? answer : { id: answer, label: undefined }
    const meant = byId.get(String(id))
    if (meant === undefined || meant.archived || keys.has(uniqueKey(label))) return []
    return called === undefined || called === meant.label ? [[key, meant.id]] : []
  })
  return Object.fromEntries(holding)
}
