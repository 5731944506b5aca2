import { type Schema, Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import {
  type FieldValue,
  kinds,
  maxFields,
  maxKeyLength,
  maxLabelLength,
  maxOptions,
  maxPosition,
} from './kinds.ts'
import { maxTextLength } from './values.ts'

const labelSuchAs = (description: string, example: string) =>
  api.Text('field-label', maxLabelLength, description, example)

const ofLabel =
  'What people call it. Unique: case, width and the kind of dash do not count. Trimmed, and composed to NFC; nothing invisible'
const label = labelSuchAs(ofLabel, 'House')
const patchedLabel = labelSuchAs(ofLabel, 'School house')

const key = (description: string) => api.Text('field-key', maxKeyLength, description, 'house')

const kind = Type.Enum(kinds, {
  description: 'What its values are; fixed. A `yes_no` without a value was not asked',
  examples: ['one_of'],
})

const option = labelSuchAs('What can be chosen', 'Oak')
const options = (description: string) =>
  Type.Array(option, { minItems: 1, maxItems: maxOptions, description, examples: [['Oak', 'Elm']] })

const sensitive = Type.Boolean({
  description: 'Whether its values are shown to, and taken from, holders of `students.sensitive` alone',
  examples: [false],
})

const position = Type.Integer({
  minimum: 0,
  maximum: maxPosition,
  description: 'Where it stands among the others; those alike, by id',
  examples: [1],
})

const archived = Type.Boolean({
  description: 'Whether records show no value of it, and take none; what they have is kept',
  examples: [false],
})

const Field = Type.Object(
  {
    id: api.Id('The field', 1),
    key: key('What its values are named by, in `fields` of a student; fixed'),
    label,
    kind,
    options: Type.Nullable(options('What can be chosen, in this order; null where the kind has no options')),
    sensitive,
    position,
    archived,
    version: api.Version('Counted up by each change of the field'),
  },
  { title: 'Field' },
)

const fieldParams = api.IdParams('FieldId', 'The field', 1)

const oneValue = [
  { type: 'string', maxLength: maxTextLength },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'array', items: { type: 'string', maxLength: maxLabelLength }, maxItems: maxOptions },
]

/** The values of a record, by key. What they are is known to the database alone: the document tells no label. */
export const ownFields = Type.JsonText({
  title: 'OwnFields',
  type: 'object',
  additionalProperties: { anyOf: oneValue },
  description: `Values of the school's own fields, by key, in the order of GET /api/fields. What has no value is absent`,
})

/** The same as they are given: null takes a value away. */
export const givenFields = Type.Documented(
  { type: 'object' } as Schema<Readonly<Record<string, FieldValue | null>>>,
  {
    title: 'GivenOwnFields',
    type: 'object',
    additionalProperties: { anyOf: [...oneValue, { type: 'null' }] },
    description: `Values of the school's own fields, by key: what is left out stays as it is, null takes a value away. GET /api/fields lists the fields`,
  },
)

export const listFields = api.operation({
  operationId: 'listFields',
  tags: ['fields'],
  summary: "List the school's own fields",
  description: 'In the order of position, then id; all at once: there are no pages.',
  response: { 200: api.Envelope(Type.Array(Field, { maxItems: maxFields })) },
})

export const getField = api.operation({
  operationId: 'getField',
  tags: ['fields'],
  summary: 'Read one field',
  params: fieldParams,
  response: { 200: api.Envelope(Field), 304: api.NotModified },
  problems: ['field_not_found'],
})

export const createField = api.operation({
  operationId: 'createField',
  tags: ['fields'],
  summary: 'Create a field',
  description: `At most ${maxFields}, the archived ones too. With an \`Idempotency-Key\`, it is created once.`,
  body: api.RequestBody(
    {
      label,
      kind,
      ...Type.Partial({
        key: key('What its values will be named by; without it, made of the label'),
        options: options('What can be chosen: for `one_of` and `several_of`, and for them alone'),
        sensitive,
        position,
      }),
    },
    'NewField',
  ),
  response: { 201: api.Created(api.Id('The new field', 1)) },
  problems: ['field_label_taken', 'field_key_taken', 'too_many_fields', ...api.creationProblems],
})

export const updateField = api.operation({
  operationId: 'updateField',
  tags: ['fields'],
  summary: 'Rename, order, archive or restore a field, or change its options',
  description:
    'A merge patch (RFC 7396): what is absent stays. Needs `If-Match`. Key and kind are fixed. `options` replaces the list: options can be added and ordered, and those that no student has can be removed. A field becomes sensitive at any time, and the contrary only while no student has a value.',
  params: fieldParams,
  body: api.RequestBody(
    Type.Partial({
      label: patchedLabel,
      options: options('What can be chosen from now on, in this order'),
      sensitive,
      position,
      archived,
    }),
    'FieldPatch',
  ),
  response: { 200: api.Envelope(api.Changed(Field, 'students.view')) },
  problems: [
    ...(['field_not_found', 'field_label_taken', 'field_in_use', 'option_in_use'] as const),
    ...api.preconditionProblems,
  ],
})

export const deleteField = api.operation({
  operationId: 'deleteField',
  tags: ['fields'],
  summary: 'Delete a field that no student has a value of',
  description: 'Needs `If-Match`. A field with values is archived instead.',
  params: fieldParams,
  response: { 200: api.Done('The field is deleted') },
  problems: ['field_not_found', 'field_in_use', ...api.preconditionProblems],
})
