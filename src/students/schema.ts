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
import { detailSchemas, sensitiveMembers, text } from './details.ts'
import { listQuery } from './list-query.ts'

/** Any characters that can be seen; 1–255 code points, trimmed, NFC. */
const name = Type.String({
  format: 'person-name',
  minLength: 1,
  maxLength: 255,
  description: 'Full name; trimmed, and composed to NFC',
  examples: ['Zoë Müller'],
})

const admissionNumber = (example: string) =>
  Type.String({
    format: 'admission-number',
    minLength: 1,
    maxLength: 50,
    description:
      'Unique in the platform: case, width and the kind of dash do not count. Trimmed, and composed to NFC; nothing invisible',
    examples: [example],
  })

const guardianName = Type.String({
  format: 'person-name',
  minLength: 1,
  maxLength: 255,
  description: "The guardian's full name",
  examples: ['Jörg Müller'],
})
const relation = text('short-text', 50, 'What the guardian is to the student', 'father')
const phone = text('short-text', 50, 'As it is dialled; not looked at further', '+49 30 901820')
const email = text('email', 254, "The guardian's e-mail address, in ASCII", 'joerg@family.example')

const guardians = <Guardian extends Schema>(guardian: Guardian) =>
  Type.Nullable(
    Type.Array(guardian, {
      maxItems: 10,
      description: 'Whom the school calls; an empty list is none. A patch replaces them all',
      examples: [
        [{ name: 'Jörg Müller', relation: 'father', phone: '+49 30 901820', email: 'joerg@family.example' }],
      ],
    }),
  )

const sensitiveNames = new Intl.ListFormat('en-GB').format(
  sensitiveMembers.toSorted().map((name) => `\`${name}\``),
)

const ListedStudent = Type.Object(
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

const Guardian = Type.Object({ name: guardianName, relation, phone, email }, { title: 'Guardian' })

const Student = Type.Object(
  {
    ...ListedStudent.properties,
    ...inOrder(detailSchemas('record'), guardians(Guardian)),
  },
  {
    title: 'Student',
    description: `Callers without \`students.sensitive\` for the class are not shown ${sensitiveNames}.`,
  },
)

/** What may be given besides; with null there is none. */
const given = inOrder(
  detailSchemas('body'),
  guardians(
    RequestBody(
      {
        name: guardianName,
        relation: Type.Optional(relation),
        phone: Type.Optional(phone),
        email: Type.Optional(email),
      },
      'NewGuardian',
    ),
  ),
)

const NewStudent = RequestBody(
  {
    name,
    admission_number: admissionNumber('2026-0042'),
    class_id: Id('An existing class', 3),
    ...given,
  },
  'NewStudent',
)

const StudentPatch = RequestBody(
  {
    name: Type.Optional(name),
    admission_number: Type.Optional(admissionNumber('2026-0043')),
    class_id: Type.Optional(Id('An existing class, to move the student to', 3)),
    ...given,
  },
  'StudentPatch',
)

const studentParams = Type.Object({
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
    ...inOrder(detailSchemas('body'), guardians(Guardian)),
    created_at: Type.Optional(instant('When the record was made')),
    updated_at: Type.Optional(instant('When the record was changed last')),
  },
  { title: 'StudentRow', description: 'What `columns` asks for, and no more, in its order' },
)

export const listStudents = operation({
  operationId: 'listStudents',
  tags: ['students'],
  summary: 'List and search students',
  description: `A page past the end is empty, with the same total. Of students in other classes than those that the caller may see, nothing is told. All filters hold together. A column, filter or order by ${sensitiveNames} needs \`students.sensitive\` for all classes that are asked for: 403 \`permission_denied\` without it.`,
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
  description:
    'A date of birth, gender, guardians and notes are taken only with `students.sensitive` for the class. Which ids a `possible_duplicate` names depends on whom the caller may see; of two creations at once, neither may see the other.',
  querystring: Type.Object(
    {
      duplicates: Type.Optional(
        Type.Enum(['refuse'], {
          description:
            'With `refuse`, nothing is created when there is a student with the same name, ignoring case and accents, and the same date of birth; or, where no date is given, in the same class',
          examples: ['refuse'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: NewStudent,
  response: { 201: Created(Id('The new student', 1)) },
  problems: ['admission_number_taken', 'possible_duplicate', 'idempotency_key_reused', 'too_many_attempts'],
})

export const updateStudent = operation({
  operationId: 'updateStudent',
  tags: ['students'],
  summary: 'Change a student',
  description:
    'A merge patch (RFC 7396): members that are left out stay as they are, null takes an optional one away, an empty patch changes nothing. A date of birth, gender, guardians and notes are taken only with `students.sensitive` for the class, and for the one the student moves to. A move to a class where the caller would see more of the student than now is 403 `permission_denied`.',
  params: studentParams,
  body: StudentPatch,
  response: { 200: Envelope(Changed(Student, 'students.view')) },
  problems: ['student_not_found', 'admission_number_taken', 'precondition_failed', 'precondition_required'],
})
