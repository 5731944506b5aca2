import type { Import } from '../../client/src/index.ts'

export type Question = Import['questions'][number]
export type Answers = Readonly<Record<string, string | number>>

/** Fewer are answered one by one. */
const fewest = 2

/** The class that is suggested for a label. */
export function suggestionOf({ choices: [first] }: Question): Question['choices'][number] | undefined {
  return first?.likeness && first
}

/** The question that is asked and those after it that are not answered, where a class is suggested for each. */
export function suggested(questions: readonly Question[], at: number, answers: Answers): Question[] {
  const open = questions.filter(({ key }, i) => i === at || (i > at && answers[key] === undefined))
  const offered = open.filter((one) => suggestionOf(one) !== undefined)
  return offered.length >= fewest && offered[0] === questions[at] ? offered : []
}
