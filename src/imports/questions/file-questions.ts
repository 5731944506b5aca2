import type { EncodingCandidate } from '../../sheets/reading/encodings.ts'
import type { RowsByDelimiter } from '../columns/header.ts'
import type { Choice, Question } from '../model.ts'

/* What is asked of a text file before its rows are known. */

/** Asks in which encoding a file is. */
export function encodingQuestion(candidates: readonly EncodingCandidate[]): Question {
  return {
    key: 'encoding',
    text: 'The file is not in UTF-8. Under which of these do its texts look right?',
    required: true,
    choices: candidates.map(
      ({ encoding, samples }): Choice => ({ answer: encoding, text: nameOf(encoding), samples }),
    ),
  }
}

const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'A comma',
  ';': 'A semicolon',
  '\t': 'A tab',
  '|': 'A vertical bar',
}

/** Asks what stands between the cells of a file. */
export function delimiterQuestion(byDelimiter: RowsByDelimiter): Question {
  return {
    key: 'delimiter',
    text: 'What stands between the cells of a row?',
    required: true,
    choices: [...byDelimiter].map(
      ([delimiter, rows]): Choice => ({
        answer: delimiter,
        text: delimiterNames[delimiter] ?? delimiter,
        samples: rows.slice(0, 5).map(({ cells }) => cells.join(' · ')),
      }),
    ),
  }
}

/** What people call encodings. */
const names: Readonly<Record<string, string>> = {
  'windows-1252': 'Western European (Windows)',
  'windows-1250': 'Central European (Windows)',
  'windows-1251': 'Cyrillic (Windows)',
  'windows-1253': 'Greek (Windows)',
  'windows-1254': 'Turkish (Windows)',
  'windows-1255': 'Hebrew (Windows)',
  'windows-1256': 'Arabic (Windows)',
  'windows-1257': 'Baltic (Windows)',
  'windows-1258': 'Vietnamese (Windows)',
  'windows-874': 'Thai (Windows)',
  'iso-8859-2': 'Central European (ISO)',
  macintosh: 'Western European (old Macintosh)',
  'x-mac-cyrillic': 'Cyrillic (old Macintosh)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-jp': 'Japanese (EUC)',
  'euc-kr': 'Korean',
  gb18030: 'Chinese, simplified',
  big5: 'Chinese, traditional',
  'koi8-r': 'Russian (KOI8)',
  'koi8-u': 'Ukrainian (KOI8)',
  ibm866: 'Cyrillic (DOS)',
}

function nameOf(encoding: string): string {
  const name = names[encoding]
  return name === undefined ? encoding : `${name}: ${encoding}`
}
