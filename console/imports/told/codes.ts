import type { Import, ImportWarningCode, RowEndReason } from '../../../client/src/index.ts'

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

export interface ToldTexts {
  readonly failures: Readonly<Record<FailureCode, string>>
  /** Of `row_not_applied`: what changed since it was planned. */
  readonly rowEnds: Readonly<Record<RowEndReason, string>>
  /** In which row or cell something is wrong, and how much there may be at most: told after the reason. */
  readonly where: (params: FailureParams) => string
  readonly most: (limit: number) => string
  readonly warnings: Readonly<Record<ImportWarningCode, (params: WarningParams) => string>>
}
