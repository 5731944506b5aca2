/* What a record holds of a child itself. */

/** What is seen with `students.sensitive` alone. */
export const sensitiveFields = ['date_of_birth', 'gender', 'email', 'address', 'notes'] as const

/** All of it, as a file has it in columns. */
export const childColumns = [
  ...(['name', 'given_name', 'family_name', 'preferred_name', 'former_names'] as const),
  ...(['admission_number', 'class', ...sensitiveFields] as const),
] as const
