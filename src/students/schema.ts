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
import { PageOf, pageParameters } from '../http/paging.ts'
import { maxSearchWords } from '../text/search-words.ts'
import { detailSchemas, sensitiveMembers, text } from './details.ts'
import { sorts } from './lists/asked.ts'
import { maxNumberLength } from './numbers/given-once.ts'

/** Any characters that can be seen; 1–255 code points, trimmed, NFC. */
const name = Type.String({
  format: 'person-name',
  minLength: 1,
  maxLength: 255,
  description: 'Full name; trimmed, and composed to NFC',
  examples: ['Zoë Müller'],
})

export const admissionNumber = (example: string) =>
  Type.String({
    format: 'admission-number',
    minLength: 1,
    maxLength: maxNumberLength,
    description:
      'Unique in the platform, and never given twice: case, width and the kind of dash do not count. Trimmed, and composed to NFC; nothing invisible',
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

const listQuery = Type.Object(
  {
    ...pageParameters,
    search: Type.Optional(
      Type.String({
        maxLength: 100,
        description: `Words, at most ${maxSearchWords} different ones, that must all occur in the name, the preferred name or the admission number, in any order, ignoring case and accents: anywhere when a word has three characters or more, at the start of a word when it has one or two. A word of three characters or more that is part of another one does not count`,
        examples: ['zoe mul'],
      }),
    ),
    class_id: Type.Optional(Id('Only the students of this class', 3)),
    sort: Type.Optional(
      Type.Enum(sorts, {
        default: 'id',
        description:
          'What the list is ordered by, without it by id; descending with `-`. By name: by the name without case and accents, then by the name itself, byte by byte. What is alike is ordered by id.',
        examples: ['name'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const listStudents = operation({
  operationId: 'listStudents',
  tags: ['students'],
  summary: 'List and search students',
  description:
    'A page past the end is empty, with the same total. Of students in other classes than those that the caller may see, nothing is told.',
  querystring: listQuery,
  response: { 200: PageOf(ListedStudent) },
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
