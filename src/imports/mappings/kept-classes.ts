import type { ListedClass } from '../../classes/queries.ts'
import { uniqueKey } from '../../text/normalise.ts'
import type { Settings } from '../model.ts'

/** The label that an answer is on; undefined: it is on no class. */
const labelOf = (key: string) => (key.startsWith('class.') ? key.slice('class.'.length) : undefined)

/** Of kept answers those that hold: a class that has a label itself is meant by it, whatever was answered before it came. */
export function answersThatHold(answers: Settings, classes: readonly ListedClass[]): Settings {
  const keys = new Set(classes.map(({ label }) => uniqueKey(label)))
  const holding = Object.entries(answers).filter(([key]) => {
    const label = labelOf(key)
    return label === undefined || !keys.has(uniqueKey(label))
  })
  return Object.fromEntries(holding)
}
