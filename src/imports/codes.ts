import { type FaultCode, faultTable } from '../problems.ts'

/* Codes of imports. They are public API: `docs/import-api.md` lists them, and the OpenAPI document has them. */

/** Why an import ends, besides what is wrong with its file (`sheets/refusal.ts`), and what a `Problem` says. */
export const failureCodes = [
  'header_not_found',
  'no_rows',
  'no_match_column',
  'upload_cut',
  'import_forgotten',
  'import_given_up',
  'internal_error',
  'interrupted',
  'permission_denied',
  'row_not_applied',
] as const

/** Why a row can't be written any more, which ends the import (`row_not_applied`). */
export const rowEndReasons = [
  'cell_changed',
  'newcomer',
  'student_gone',
  'match_lost',
  'value_refused',
  'permission_lost',
  'class_closed',
] as const
export type RowEndReason = (typeof rowEndReasons)[number]

/** Warnings of the file by itself. */
const fileWarnings = [
  'rows_above_header',
  'sheet_left_out',
  'hidden_sheet',
  'hidden_rows',
  'blank_rows',
  'repeated_headers',
  'other_table',
  'empty_column',
  'kept_by_server',
  'numbers_in_texts',
  'classes_blank',
  'other_roles',
] as const

/** Warnings of what its rows are, or would do: these tell of records. */
export const recordWarnings = [
  'names_not_compared',
  'zeros_lost',
  'zeros_missing',
  'digits_lost',
  'letters_lost',
  'other_children',
  'other_names',
  'other_dates',
  'turned_names',
  'unknown_ids',
  'names_with_commas',
  'full_names_kept',
  'odd_ages',
  'odd_names',
  'imported_before', // where a row would be written
  'twins_left_out',
  'classes_not_named',
  'most_classes_not_named',
] as const

/** What people ought to know of a file, though nothing is wrong. */
export const warningCodes = [...fileWarnings, ...recordWarnings]

/** Why a row is refused or left out, besides what the API says of its members. Each has words in every language. */
export const rowFaultCodes = [
  'beyond_header',
  'cell_error',
  'example_row',
  'incomplete_address',
  'left_out',
  'no_letters',
  'other_class',
  'other_student',
  'permission_denied',
  'several_students',
  'undecided_column',
  'unsure_guardian',
  'unsure_number',
] as const
export type RowFaultCode = (typeof rowFaultCodes)[number]

/** Why a row may be of a student whom it does not match. */
export const nearReasons = [
  'same_id',
  'similar_number',
  'same_name_and_date',
  'similar_name_and_date',
  'same_name_and_class',
  'same_name_and_class_other_date',
] as const

export type NearReason = (typeof nearReasons)[number]

/** Why rows may be of one child who is not there yet. */
export const twinReasons = ['name_and_date_twice', 'name_and_class_twice', 'similar_number_twice'] as const

/** Why a row is doubtful. */
export const doubts = [...nearReasons, ...twinReasons, 'number_twice'] as const

/** Why a row is refused, left out or doubtful. */
export type CellCode = FaultCode | RowFaultCode | (typeof doubts)[number]

export const cellCodes = [...doubts, ...rowFaultCodes, ...Object.keys(faultTable)] as readonly CellCode[]
