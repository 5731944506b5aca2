import { type Schema, Type } from '../http/json-schema.ts'
import { Text } from '../http/operation.ts'

/** A text that may be absent, of 1 to so many characters. */
export const text = (...of: Parameters<typeof Text>) => Type.Nullable(Text(...of))

const plain = (schema: Schema<string | null>) => ({ schema, isSensitive: false })
const sensitive = (schema: Schema<string | null>) => ({ schema, isSensitive: true })

/**
 * The optional fields of a student, texts and dates. To add one: a migration that adds its column, a line in
 * `db/tables.ts`, and an entry here. `guardians` is besides: it is a list of its own shape, and sensitive.
 */
export const details = {
  preferred_name: plain(text('person-name', 255, 'What the student is called; found by searches', 'Zozo')),
  given_name: plain(text('person-name', 255, 'The given names', 'Zoë')),
  family_name: plain(text('person-name', 255, 'The family name; lists can be sorted by it', 'Müller')),
  former_names: plain(
    text('short-text', 500, 'Names that the student had before; found by searches', 'Zoë Meier'),
  ),
  date_of_birth: sensitive(
    text(
      'date',
      40,
      'A day of the calendar, `YYYY-MM-DD`, from 1900-01-01 to today (UTC); never with a time',
      '2014-03-09',
    ),
  ),
  gender: sensitive(text('short-text', 50, 'In whatever words the school uses', 'female')),
  email: sensitive(text('email', 254, "The student's e-mail address, in ASCII", 'zoe@school.example')),
  address: sensitive(
    text('text-in-lines', 500, 'Where the student lives; line breaks are kept', 'Lindenweg 4\n12345 Berlin'),
  ),
  notes: sensitive(
    text('text-in-lines', 2_000, 'Free text; line breaks and tabs are kept', 'Allergic to nuts'),
  ),
}

export type DetailName = keyof typeof details

export const detailNames = Object.keys(details) as DetailName[]

/** What of a student only those see and set who hold `students.sensitive` for its class. */
export const sensitiveMembers = [
  ...detailNames.filter((name) => details[name].isSensitive),
  'guardians',
] as const

type OptionalSchema = Schema<string | null> & ReturnType<typeof Type.Optional>

/** The schemas of the fields, by name. In a body all may be absent; of a record, those that are not shown to all. */
export function detailSchemas(where: 'body' | 'record') {
  const entries = detailNames.map((name) => {
    const { schema, isSensitive } = details[name]
    return [name, where === 'body' || isSensitive ? Type.Optional(schema) : schema]
  })
  return Object.fromEntries(entries) as { [Name in DetailName]: OptionalSchema }
}
