import type { Choice, Question } from './model.ts'

/* What is asked of a text file before its rows are known. */

/** A candidate for the encoding, with real cells as they are under it. */
export interface EncodingCandidate {
  readonly encoding: string
  readonly samples: readonly string[]
}

/** Asks in which encoding a file is. */
export function encodingQuestion(candidates: readonly EncodingCandidate[]): Question {
  return {
    key: 'encoding',
    text: 'The file is not in UTF-8. Under which of these do its texts look right?',
    required: true,
    choices: candidates.map(
      ({ encoding, samples }): Choice => ({ answer: encoding, text: encoding, samples }),
    ),
  }
}

const inWords: Readonly<Record<string, string>> = {
  ',': 'A comma',
  ';': 'A semicolon',
  '\t': 'A tab',
  '|': 'A vertical bar',
}

/** Asks what stands between the cells of a file. @param byDelimiter its first rows under each */
export function delimiterQuestion(
  byDelimiter: ReadonlyMap<string, readonly { readonly cells: readonly string[] }[]>,
): Question {
  return {
    key: 'delimiter',
    text: 'What stands between the cells of a row?',
    required: true,
    choices: [...byDelimiter].map(
      ([delimiter, rows]): Choice => ({
        answer: delimiter,
        text: inWords[delimiter] ?? delimiter,
        samples: rows.slice(0, 5).map(({ cells }) => cells.join(' · ')),
      }),
    ),
  }
}
