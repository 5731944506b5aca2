import { Type } from '../../http/json-schema.ts'
import { Envelope, Id, operation, PathId, Query, RequestBody } from '../../http/operation.ts'
import { PageOf, pageParameters } from '../../http/paging.ts'
import { ListedStudent, studentParams } from '../schema.ts'
import { maxPairs, reasons } from './pairs.ts'

const Double = Type.Object(
  {
    students: Type.Array(ListedStudent, {
      minItems: 2,
      maxItems: 2,
      description: 'The two, the lower id first',
    }),
    reason: Type.Enum(reasons, {
      description:
        'Names are compared without case and accents. Similar names differ in one character, have two neighbours swapped, or have `ae` for `ä` and the like. `same_name_and_class`: neither has a date of birth',
      examples: ['same_name_and_date'],
    }),
  },
  { title: 'Double' },
)

const different = Type.Boolean({
  description: 'Whether they are known to be two children; false forgets it',
  examples: [true],
})

export const listDoubles = operation({
  operationId: 'listDoubles',
  tags: ['students'],
  summary: 'List pairs of students who may be one child',
  description: `In the order of the lower id, then the other. Pairs of which the caller may not see both students are not told, nor pairs by date of birth without \`students.sensitive\` for the classes of both. Settled pairs are left out. At most ${maxPairs} pairs are found, and of students who are all alike the first hundred are paired: the others follow when these are corrected. The search takes some seconds for a million students; what it found stands until a student changes.`,
  querystring: Query(pageParameters),
  response: { 200: PageOf(Double) },
})

export const updateDouble = operation({
  operationId: 'updateDouble',
  tags: ['students'],
  summary: 'Settle that two students are two children',
  description:
    'Needs `students.update` for the classes of both. They need not be listed as doubles, and may stand in any order. It takes no `If-Match`: who says the same twice changes nothing.',
  params: Type.Object({
    ...studentParams.properties,
    other: PathId('OtherStudentId', 'The other student', 2),
  }),
  body: RequestBody({ different }, 'SettledDouble'),
  response: {
    200: Envelope(
      Type.Object({
        ids: Type.Array(Id('A student', 1), {
          minItems: 2,
          maxItems: 2,
          description: 'The two, the lower id first',
        }),
        different,
      }),
    ),
  },
  problems: ['student_not_found'],
})
