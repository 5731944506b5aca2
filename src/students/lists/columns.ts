/** What a list shows of each student, in this order. */
export const studentColumns = [
  'students.id',
  'students.name',
  'students.admission_number',
  'students.class_id',
  'classes.label as class',
] as const

/** The same for statements in SQL. */
export const selectedColumns = studentColumns.join(', ')

/** The names under which these columns are selected: the members of the answer. */
export const members = studentColumns.map((column) => column.split(/ as |\./).at(-1)!)
