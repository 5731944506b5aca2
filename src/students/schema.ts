import { givenFields, ownFields } from '../fields/schema.ts'
import { type Schema, Type } from '../http/json-schema.ts'
import {
  Changed,
  Created,
  Envelope,
  Id,
  maxId,
  NotModified,
  operation,
  RequestBody,
} from '../http/operation.ts'
import { PageOf } from '../http/paging.ts'
import { detailSchemas, sensitiveMembers } from './details.ts'
import { Guardians, Identifiers, NewGuardians, NewIdentifiers } from './list-members.ts'
import { listQuery } from './list-query.ts'
import { maxNumberLength } from './numbers/given-once.ts'
import { maxOthers } from './other-than.ts'

/** Any characters that can be seen; 1–255 code points, trimmed, NFC. */
const name = Type.String({
  format: 'person-name',
  minLength: 1,
  maxLength: 255,
  description: 'Full name; trimmed, and composed to NFC',
  examples: ['Zoë Müller'],
})

const nameOfNew =
  "Full name; trimmed, and composed to NFC. Without it, it is joined from given_name and family_name in the school's order of names"
const nameOfPatch =
  'Full name; trimmed, and composed to NFC. A name that was joined from given_name and family_name follows them until one is given here'

export const admissionNumber = (example: string) =>
  Type.String({
    format: 'admission-number',
    minLength: 1,
    maxLength: maxNumberLength,
    description:
      'Unique in the platform, and never given twice: case, width and the kind of dash do not count. Trimmed, and composed to NFC; nothing invisible',
    examples: [example],
  })

const sensitiveNames = new Intl.ListFormat('en-GB').format(
  sensitiveMembers.toSorted().map((name) => `\`${name}\``),
)

/** A student as lists show it. */
export const ListedStudent = Type.Object(
  {
    id: Id('The student', 1),
    name,
    admission_number: admissionNumber('2026-0042'),
    class_id: Id('The class', 3),
    class: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The class's label",
      examples: ['Class 3'],
    }),
  },
  { title: 'StudentSummary' },
)

/** Every document and error lists guardians before notes. */
const inOrder = <Guardians extends Schema>(
  { notes, ...others }: ReturnType<typeof detailSchemas>,
  guardians: Guardians,
) => ({ ...others, guardians: Type.Optional(guardians), notes })

const Student = Type.Object(
  {
    ...ListedStudent.properties,
    identifiers: Identifiers,
    ...inOrder(detailSchemas('record'), Guardians),
    fields: ownFields,
  },
  {
    title: 'Student',
    description: `Callers without \`students.sensitive\` for the class are not shown ${sensitiveNames}.`,
  },
)

/** What may be given besides; with null there is none. */
const given = {
  identifiers: Type.Optional(NewIdentifiers),
  ...inOrder(detailSchemas('body'), NewGuardians),
}

/** Whether a part of the name is given. */
const hasNamePart = {
  anyOf: ['given_name', 'family_name'].map((part) => ({
    required: [part],
    properties: { [part]: { not: { type: 'null' } } },
  })),
}

const NewStudent = {
  ...RequestBody(
    {
      name: Type.Optional({ ...name, description: nameOfNew }),
      admission_number: admissionNumber('2026-0042'),
      class_id: Id('An existing class', 3),
      ...given,
      fields: Type.Optional(givenFields),
    },
    'NewStudent',
  ),
  if: hasNamePart,
  else: { properties: { name: {} }, required: ['name'], description: 'given_name or family_name would do' },
}

const StudentPatch = RequestBody(
  {
    name: Type.Optional({ ...name, description: nameOfPatch }),
    admission_number: Type.Optional(admissionNumber('2026-0043')),
    class_id: Type.Optional(Id('An existing class, to move the student to', 3)),
    ...given,
    fields: Type.Optional(givenFields),
  },
  'StudentPatch',
)

export const studentParams = Type.Object({
  id: Type.Integer({
    title: 'StudentId',
    minimum: 0,
    maximum: maxId,
    description: 'The student',
    examples: [1],
  }),
})

const instant = (description: string) =>
  Type.String({
    format: 'date-time',
    maxLength: 24,
    description: `${description}, in UTC`,
    examples: ['2026-09-01T08:00:00.000Z'],
  })

/** A student of a list whose columns were asked for. */
const StudentRow = Type.Object(
  {
    ...Object.fromEntries(
      Object.entries(ListedStudent.properties).map(([name, member]) => [name, Type.Optional(member)]),
    ),
    identifiers: Type.Optional(Identifiers),
    ...inOrder(detailSchemas('body'), Guardians),
    created_at: Type.Optional(instant('When the record was made')),
    updated_at: Type.Optional(instant('When the record was changed last')),
  },
  {
    title: 'StudentRow',
    description:
      'What `columns` asks for, and no more, in its order. An own field is a member `fields.KEY`; null: it has no value',
  },
)

export const listStudents = operation({
  operationId: 'listStudents',
  tags: ['students'],
  summary: 'List and search students',
  description: `A page past the end is empty, with the same total. Of students in other classes than those that the caller may see, nothing is told. All filters hold together. Own fields are filters too: \`fields.KEY=VALUE\` for those of \`one_of\`, \`several_of\` and \`yes_no\`, \`fields.KEY.empty=true\` and \`false\` for all. A column, filter or order by ${sensitiveNames} needs \`students.sensitive\` for all classes that are asked for: 403 \`permission_denied\` without it.`,
  querystring: listQuery,
  response: { 200: PageOf(Type.Either(ListedStudent, StudentRow)) },
})

export const getStudent = operation({
  operationId: 'getStudent',
  tags: ['students'],
  summary: 'Read one student',
  description: `Callers without \`students.sensitive\` for the class are not shown the members that need it. The ETag changes with the student and with its class, and differs between those who are shown all and those who are not.`,
  params: studentParams,
  response: { 200: Envelope(Student), 304: NotModified },
  problems: ['student_not_found'],
})

export const createStudent = operation({
  operationId: 'createStudent',
  tags: ['students'],
  summary: 'Create a student',
  description: `${sensitiveNames} are taken only with \`students.sensitive\` for the class. Which ids a \`possible_duplicate\` names depends on whom the caller may see; of two creations at once, neither may see the other.`,
  querystring: Type.Object(
    {
      duplicates: Type.Optional(
        Type.Enum(['refuse'], {
          description:
            'With `refuse`, nothing is created when there is a student with the same name, ignoring case and accents, and the same date of birth; or, where no date is given, in the same class',
          examples: ['refuse'],
        }),
      ),
      other_than: Type.Optional(
        Type.String({
          maxLength: 340,
          description: `Ids of students whom the new one is known not to be, with commas between; at most ${maxOthers}. With \`duplicates=refuse\` they do not count, and \`GET /api/doubles\` does not list them with the new one`,
          examples: ['7,12'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: NewStudent,
  response: { 201: Created(Id('The new student', 1)) },
  problems: [
    'admission_number_taken',
    'identifier_taken',
    'possible_duplicate',
    'idempotency_key_reused',
    'too_many_attempts',
  ],
})

export const updateStudent = operation({
  operationId: 'updateStudent',
  tags: ['students'],
  summary: 'Change a student',
  description: `A merge patch (RFC 7396): members that are left out stay as they are, null takes an optional one away, an empty patch changes nothing. ${sensitiveNames} are taken only with \`students.sensitive\` for the class, and for the one the student moves to. A move to a class where the caller would see more of the student than now is 403 \`permission_denied\`.`,
  params: studentParams,
  body: StudentPatch,
  response: { 200: Envelope(Changed(Student, 'students.view')) },
  problems: [
    'student_not_found',
    'admission_number_taken',
    'identifier_taken',
    'precondition_failed',
    'precondition_required',
  ],
})
