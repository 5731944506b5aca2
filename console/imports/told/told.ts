import type { Import } from '../../../client/src/index.ts'
import { t, textsOf } from '../../language/language.ts'
import { ar } from './ar.ts'
import type { FailureCode, ToldTexts, WarningCode, WarningParams } from './codes.ts'
import { de } from './de.ts'

/*
 * What the server says of a file: its own sentences are English. Other languages have one for each code.
 */

type Warning = Import['warnings'][number]

const texts = textsOf<ToldTexts | undefined>({ en: undefined, de, ar })

/** What is said of a file or of a part of it, and whether it is English whatever the reader's language is. */
export interface Said {
  readonly text: string
  readonly isEnglish: boolean
}

const said = (own: string | undefined, detail: string): Said => ({
  text: own ?? detail,
  isEnglish: own === undefined,
})

/** Why a file is not imported. */
export function failureSaid({ code, detail }: { readonly code: string; readonly detail: string }): Said {
  const own: Readonly<Record<string, string>> | undefined = texts()?.failures
  const problems: Readonly<Record<string, unknown>> = own === undefined ? {} : t().problems
  return said(own?.[code] ?? (problems[code] as string | undefined), detail)
}

/** These sentences of the server tell of a place in the file, which the translation does not. */
const withPlace: readonly string[] = [
  'formula_without_value',
  'too_many_rows',
  'too_many_columns',
  'cell_too_long',
  'row_too_long',
  'invalid_csv',
  'row_not_applied',
] satisfies FailureCode[]

/** Whether the server's own sentence is shown besides. */
export const tellsPlace = (code: string) => texts() !== undefined && withPlace.includes(code)

/** What one should know of the file. Where the server tells nothing of what, its own sentence stands. */
export function warningSaid({ code, detail, params }: Warning): Said {
  const own: Readonly<Record<string, (params: WarningParams) => string>> | undefined = texts()?.warnings
  const say = own?.[code]
  const isTold = params !== undefined || code === ('names_not_compared' satisfies WarningCode)
  return said(isTold ? say?.(params ?? {}) : undefined, detail)
}
