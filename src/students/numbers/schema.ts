import { Type } from '../../http/json-schema.ts'
import { Envelope, operation } from '../../http/operation.ts'
import { admissionNumber, ListedStudent } from '../schema.ts'

const { id, name, class_id, class: label } = ListedStudent.properties

/** Who has an admission number that was to be given, as a problem tells it. */
export const NumberHolder = Type.Object(
  {
    id,
    name,
    class_id,
    class: label,
    former: Type.Optional(
      Type.Boolean({
        const: true,
        description: 'The student had the number before, and has another one now',
      }),
    ),
  },
  {
    title: 'NumberHolder',
    description: 'The student who has the admission number; told only to callers who may see the student',
  },
)

export const getNextNumber = operation({
  operationId: 'getNextNumber',
  tags: ['students'],
  summary: 'Propose an admission number that is free',
  description:
    'One more than the highest number like that of the student who was created last, of those whom the caller may see: with the same text before the last digits, and as many of these. Numbers that students have or had are skipped. Where there is no student yet, `0001`. It is a proposal, and reserves nothing: whoever creates a student with it first has it.',
  response: { 200: Envelope(Type.Object({ admission_number: admissionNumber('2026-0043') })) },
})
