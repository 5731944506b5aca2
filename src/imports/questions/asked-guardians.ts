import { mostSamples } from '../cells/date-columns.ts'
import type { ColumnMapping } from '../columns/column-mapping.ts'
import { guardianColumn, guardianOf } from '../columns/columns.ts'
import {
  hasRelation,
  nameByRelation,
  relationWords,
  unnamedGuardian,
  unnamedGuardians,
} from '../columns/unnamed-guardians.ts'
import type { Choice, Question } from '../model.ts'
import type { Facts } from './facts.ts'

/** How many columns the question names. */
const mostNamed = 5

/** How much of a heading it shows, in characters. */
const longestShown = 100

const answers: readonly unknown[] = ['relation', 'unnamed', 'leave_out']

/**
 * Asks what new guardians are called of whom the file has a part and no name. Who is there already keeps the name.
 * @param rowsIn how many rows have a value in the column at a place
 */
export function guardianNames(
  { mapped }: ColumnMapping,
  { mode, settings, header }: Facts,
  rowsIn: (at: number) => number,
): Question | undefined {
  if (mode === 'update' || answers.includes(settings.guardian_name)) return undefined
  const unnamed = new Set(unnamedGuardians(mapped))
  const columns = mapped.flatMap(({ at, heading, column }) => {
    const number = guardianOf(column ?? '')?.number
    return number !== undefined && unnamed.has(number) && rowsIn(at) > 0 ? [{ heading, number }] : []
  })
  const [first] = columns
  if (first === undefined) return undefined
  const numbers = [...new Set(columns.map(({ number }) => number))]
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
    : { answer: 'unnamed', text: `"${unnamedGuardian}"`, samples: [unnamedGuardian], about }
  const headings = columns
    .slice(0, mostNamed)
    .map(({ heading }) => `"${[...heading].slice(0, longestShown).join('')}"`)
  const more = columns.length > mostNamed ? ' …' : ''
  return {
    key: 'guardian_name',
    text: `The file tells of guardians and has no column for their names: ${headings.join(', ')}${more}. What is a new guardian called? One who is there keeps the name.`,
    required: true,
    choices: [named, { answer: 'leave_out', text: 'Nobody: leave these columns out' }],
  }
}
