import type { Import, ImportWarningCode } from '../../../client/src/index.ts'
import { t, textsOf } from '../../language/language.ts'
import { ar } from './ar.ts'
import type { ToldTexts, WarningParams } from './codes.ts'
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

/** What a file would damage, and what of it is lost, stands above its rows. */
const toldAbove: readonly ImportWarningCode[] = [
  'other_children',
  'other_names',
  'other_dates',
  'turned_names',
  'other_roles',
  'sheet_left_out',
  'other_table',
  'imported_before',
  'twins_left_out',
  'letters_lost',
  'zeros_lost',
  'zeros_missing',
  'digits_lost',
  'numbers_in_texts',
  'classes_blank',
  'full_names_kept',
  'odd_ages',
  'odd_names',
]

/** What is usual stands above the rows too, as a note. */
const noted: readonly ImportWarningCode[] = ['classes_not_named', 'most_classes_not_named']

/** A sheet without rows is no loss. */
const isEmptySheet = ({ code, params }: Warning) => code === 'sheet_left_out' && params?.rows === 0

/** The warnings of a file by their places: above its rows in their order, there as notes, and below. */
export function placed(warnings: readonly Warning[]) {
  const isAbove = (one: Warning) => toldAbove.includes(one.code) && !isEmptySheet(one)
  return {
    above: toldAbove.flatMap((code) => warnings.filter((one) => one.code === code && isAbove(one))),
    notes: warnings.filter(({ code }) => noted.includes(code)),
    below: warnings.filter((one) => !isAbove(one) && !noted.includes(one.code)),
  }
}

/** Why a file is not imported. */
export function failureSaid({ code, detail, params = {} }: NonNullable<Import['failure']>): Said {
  const own: ToldTexts | undefined = texts()
  if (own === undefined) return said(undefined, detail)
  const failures: Readonly<Record<string, string>> = own.failures
  const problems: Readonly<Record<string, unknown>> = t().problems
  const { row, limit, reason: why = '' } = params
  const rowEnds: Readonly<Record<string, string>> = own.rowEnds
  const reason = rowEnds[why] ?? failures[code] ?? (problems[code] as string | undefined)
  const besides = [row !== undefined && own.where(params), limit !== undefined && own.most(limit)]
  return said(reason && [reason, ...besides.filter((one) => one !== false)].join(' '), detail)
}

/** What one should know of the file. Where the server tells nothing of what, its own sentence stands. */
export function warningSaid({ code, detail, params }: Warning): Said {
  const own: Readonly<Record<string, (params: WarningParams) => string>> | undefined = texts()?.warnings
  const say = own?.[code]
  const isTold = params !== undefined || code === 'names_not_compared'
  return said(isTold ? say?.(params ?? {}) : undefined, detail)
}
