import { givenFields, ownFields } from '../fields/schema.ts'
import { type Schema, Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import { PageOf } from '../http/paging.ts'
import { detailSchemas, sensitiveMembers } from './details.ts'
import { Guardians, Identifiers, NewGuardians, NewIdentifiers } from './list-members.ts'
import { listQuery } from './list-query.ts'
import { maxNumberLength } from './numbers/given-once.ts'
import { maxOthers } from './other-than.ts'

/** Any characters that can be seen; 1–255 code points, trimmed, NFC. */
const name = api.Text('person-name', 255, 'Full name; trimmed, and composed to NFC', 'Zoë Müller')

const nameOfNew =
  "Full name; trimmed, and composed to NFC. Without it, it is joined from given_name and family_name in the school's order of names"
const nameOfPatch =
  'Full name; trimmed, and composed to NFC. A name that is but given_name and family_name follows them, until another is given here'

export const admissionNumber = (example: string) =>
  api.Text(
    'admission-number',
    maxNumberLength,
    'Unique in the platform, and never given twice: case, width and the kind of dash do not count. Trimmed, and composed to NFC; nothing invisible',
    example,
  )

const sensitiveNames = new Intl.ListFormat('en-GB').format(
  sensitiveMembers.toSorted().map((name) => `\`${name}\``),
)

/** A student as lists show it. */
export const ListedStudent = Type.Object(
  {
    id: api.Id('The student', 1),
    name,
    admission_number: admissionNumber('2026-0042'),
    class_id: api.Id('The class', 3),
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

export const Student = Type.Object(
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
  ...api.RequestBody(
    {
      name: Type.Optional({ ...name, description: nameOfNew }),
      admission_number: admissionNumber('2026-0042'),
      class_id: api.Id('An existing class', 3),
      ...given,
      fields: Type.Optional(givenFields),
    },
    'NewStudent',
  ),
  if: hasNamePart,
  else: { properties: { name: {} }, required: ['name'], description: 'given_name or family_name would do' },
}

const StudentPatch = api.RequestBody(
  {
    name: Type.Optional({ ...name, description: nameOfPatch }),
    admission_number: Type.Optional(admissionNumber('2026-0043')),
    class_id: Type.Optional(api.Id('An existing class, to move the student to', 3)),
    ...given,
    fields: Type.Optional(givenFields),
  },
  'StudentPatch',
)

export const studentParams = api.IdParams('StudentId', 'The student', 1)

/** A student of a list whose columns were asked for. */
const StudentRow = Type.Object(
  {
    ...Type.Partial({ ...ListedStudent.properties, identifiers: Identifiers }),
    ...inOrder(detailSchemas('body'), Guardians),
    ...Type.Partial({
      created_at: api.DateTime('When the record was made, in UTC'),
      updated_at: api.DateTime('When the record was changed last, in UTC'),
    }),
  },
  {
    title: 'StudentRow',
    description:
      'What `columns` asks for, and no more, in its order. An own field is a member `fields.KEY`; null: it has no value',
  },
)

export const listStudents = api.operation({
  operationId: 'listStudents',
  tags: ['students'],
  summary: 'List and search students',
  description: `A page past the end is empty, with the same total. Of students in other classes than those that the caller may see, nothing is told. All filters hold together. Own fields are filters too: \`fields.KEY=VALUE\` for those of \`one_of\`, \`several_of\` and \`yes_no\`, \`fields.KEY.empty=true\` and \`false\` for all. A column, filter or order by ${sensitiveNames} needs \`students.sensitive\` for all classes that are asked for: 403 \`permission_denied\` without it.`,
  querystring: listQuery,
  response: { 200: PageOf(Type.Either(ListedStudent, StudentRow)) },
})

export const getStudent = api.operation({
  operationId: 'getStudent',
  tags: ['students'],
  summary: 'Read one student',
  description: `Callers without \`students.sensitive\` for the class are not shown the members that need it. The ETag changes with the student and with its class, and differs between those who are shown all and those who are not.`,
  params: studentParams,
  response: { 200: api.Envelope(Student), 304: api.NotModified },
  problems: ['student_not_found'],
})

export const createStudent = api.operation({
  operationId: 'createStudent',
  tags: ['students'],
  summary: 'Create a student',
  description: `${sensitiveNames} are taken only with \`students.sensitive\` for the class. Which ids a \`possible_duplicate\` names depends on whom the caller may see; of two creations at once, neither may see the other.`,
  querystring: api.Query(
    Type.Partial({
      duplicates: Type.Enum(['refuse'], {
        description:
          'With `refuse`, nothing is created when there is a student with the same name, ignoring case, accents and which part stands first, and the same date of birth; or, where no date is given, in the same class',
        examples: ['refuse'],
      }),
      other_than: Type.String({
        maxLength: 340,
        description: `Ids of students whom the new one is known not to be, with commas between; at most ${maxOthers}. With \`duplicates=refuse\` they do not count, and \`GET /api/doubles\` does not list them with the new one`,
        examples: ['7,12'],
      }),
    }),
  ),
  body: NewStudent,
  response: { 201: api.Created(api.Id('The new student', 1)) },
  problems: ['admission_number_taken', 'identifier_taken', 'possible_duplicate', ...api.creationProblems],
})

export const updateStudent = api.operation({
  operationId: 'updateStudent',
  tags: ['students'],
  summary: 'Change a student',
  description: `A merge patch (RFC 7396): members that are left out stay as they are, null takes an optional one away, an empty patch changes nothing. ${sensitiveNames} are taken only with \`students.sensitive\` for the class, and for the one the student moves to. A move to a class where the caller would see more of the student than now is 403 \`permission_denied\`.`,
  params: studentParams,
  body: StudentPatch,
  response: { 200: api.Envelope(api.Changed(Student, 'students.view')) },
  problems: ['student_not_found', 'admission_number_taken', 'identifier_taken', ...api.preconditionProblems],
})
