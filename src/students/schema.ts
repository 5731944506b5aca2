import { Type } from 'typebox'
import { Envelope, Id, maxId, operation, RequestBody, Success } from '../http/operation.ts'
import { Pagination, pageParameters } from '../http/paging.ts'
import { maxSearchWords } from '../text/search-words.ts'
import { sorts } from './sorting.ts'

/** Any characters that can be seen; 1–255 code points, trimmed, NFC. */
const name = Type.String({
  format: 'person-name',
  minLength: 1,
  maxLength: 255,
  description: 'Full name; trimmed, and composed to NFC',
  examples: ['Zoë Müller'],
})

const admissionNumber = Type.String({
  format: 'admission-number',
  minLength: 1,
  maxLength: 50,
  description: 'Unique in the platform, ignoring case; trimmed, and composed to NFC',
  examples: ['2026-0042'],
})

const Student = Type.Object({
  id: Id('The student', 1),
  name,
  admission_number: admissionNumber,
  class_id: Id('The class', 3),
  class: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "The class's label",
    examples: ['Class 3'],
  }),
})

const NewStudent = RequestBody({
  name,
  admission_number: admissionNumber,
  class_id: Id('An existing class', 3),
})

const studentParams = Type.Object({
  id: Type.Integer({ minimum: 0, maximum: maxId, description: 'The student', examples: [1] }),
})

const listQuery = Type.Object(
  {
    ...pageParameters,
    search: Type.Optional(
      Type.String({
        maxLength: 100,
        description: `Words, at most ${maxSearchWords} different ones, that must all occur in the name or the admission number, in any order, ignoring case and accents: anywhere when a word has three characters or more, at the start of a word when it has one or two. A word of three characters or more that is part of another one does not count`,
        examples: ['zoe mul'],
      }),
    ),
    class_id: Type.Optional(Id('Only the students of this class', 3)),
    sort: Type.Optional(
      Type.Enum(sorts, {
        default: 'id',
        description:
          'What the list is ordered by; descending with `-`. By name: by the name without case and accents, then by the name itself, byte by byte. What is alike is ordered by id.',
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
  response: { 200: Type.Object({ success: Success, data: Type.Array(Student), pagination: Pagination }) },
})

export const getStudent = operation({
  operationId: 'getStudent',
  tags: ['students'],
  summary: 'Read one student',
  params: studentParams,
  response: { 200: Envelope(Student) },
  problems: ['student_not_found'],
})

export const createStudent = operation({
  operationId: 'createStudent',
  tags: ['students'],
  summary: 'Create a student',
  body: NewStudent,
  response: { 201: Envelope(Type.Object({ id: Id('The new student', 1) })) },
  problems: ['admission_number_taken'],
})
