import type { Import } from '../../../client/src/index.ts'

/* What the server says of a file, by its codes. A test holds them to those that it can give. */

type Warning = Import['warnings'][number]
type FailureParams = NonNullable<NonNullable<Import['failure']>['params']>
export type WarningParams = NonNullable<Warning['params']>

type FailureCode =
  | 'empty_file'
  | 'encrypted_file'
  | 'old_excel_file'
  | 'binary_workbook'
  | 'open_document'
  | 'not_a_table'
  | 'damaged_file'
  | 'doctype'
  | 'external_links'
  | 'formula_without_value'
  | 'too_large'
  | 'too_many_rows'
  | 'too_many_columns'
  | 'cell_too_long'
  | 'too_many_marks'
  | 'row_too_long'
  | 'invalid_csv'
  | 'invalid_encoding'
  | 'header_not_found'
  | 'no_rows'
  | 'no_match_column'
  | 'upload_cut'
  | 'import_forgotten'
  | 'import_given_up'
  | 'internal_error'
  | 'interrupted'
  | 'permission_denied'
  | 'row_not_applied'

export type RowEndReason =
  | 'cell_changed'
  | 'newcomer'
  | 'student_gone'
  | 'match_lost'
  | 'value_refused'
  | 'permission_lost'
  | 'class_closed'

export type WarningCode =
  | 'sheet_left_out'
  | 'rows_above_header'
  | 'hidden_sheet'
  | 'hidden_rows'
  | 'blank_rows'
  | 'repeated_headers'
  | 'other_table'
  | 'empty_column'
  | 'kept_by_server'
  | 'letters_lost'
  | 'numbers_in_texts'
  | 'classes_blank'
  | 'names_not_compared'
  | 'other_children'
  | 'other_names'
  | 'other_dates'
  | 'turned_names'
  | 'unknown_ids'
  | 'names_with_commas'
  | 'full_names_kept'
  | 'odd_ages'
  | 'odd_names'
  | 'imported_before'
  | 'twins_left_out'
  | 'zeros_lost'
  | 'digits_lost'
  | 'classes_not_named'
  | 'most_classes_not_named'

export interface ToldTexts {
  readonly failures: Readonly<Record<FailureCode, string>>
  /** Of `row_not_applied`: what changed since it was planned. */
  readonly rowEnds: Readonly<Record<RowEndReason, string>>
  /** In which row or cell something is wrong, and how much there may be at most: told after the reason. */
  readonly where: (params: FailureParams) => string
  readonly most: (limit: number) => string
  readonly warnings: Readonly<Record<WarningCode, (params: WarningParams) => string>>
}
