import { Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import { count, PageOf, pageParameters } from '../http/paging.ts'
import { maxLabelLength, maxPosition } from './changes.ts'

const labelSuchAs = (example: string) => api.Text('class-label', maxLabelLength, api.uniqueName, example)

const label = labelSuchAs('Year 7 B')

const position = (description: string) =>
  Type.Integer({ minimum: 0, maximum: maxPosition, description, examples: [13] })

const archived = Type.Boolean({
  description: 'Whether it takes no new students; those in it stay as they are',
  examples: [false],
})

const Class = Type.Object(
  {
    id: api.Id('The class', 13),
    label: label,
    position: position('Where it stands among the others; those alike, by id'),
    archived,
    students: count(
      'How many students are in it. It changes with them, and neither `version` nor `ETag` does',
      28,
    ),
    version: api.Version('Counted up by each change of the class itself'),
  },
  { title: 'Class' },
)

const classParams = api.IdParams('ClassId', 'The class', 13)

const onlyForAll =
  'Needs `classes.manage` for all classes: 403 `permission_denied` to who holds it for some alone.'

export const listClasses = api.operation({
  operationId: 'listClasses',
  tags: ['classes'],
  summary: 'List and search classes',
  description:
    'In the order of position, then id. A page past the end is empty, with the same total. Of classes other than those that the caller may see, nothing is told.',
  querystring: api.Query({
    ...pageParameters,
    ...Type.Partial({
      search: Type.String({
        maxLength: maxLabelLength,
        description:
          'Words that must all occur in the label, in any order, ignoring case and accents: anywhere when a word has three characters or more, at the start of a word when it has one or two',
        examples: ['year'],
      }),
      archived: Type.Enum(['true', 'false'], {
        description: 'Only those that are archived, or only those that are not; else both',
        examples: ['false'],
      }),
    }),
  }),
  response: { 200: PageOf(Class) },
})

export const getClass = api.operation({
  operationId: 'getClass',
  tags: ['classes'],
  summary: 'Read one class',
  description: 'Its `ETag` is of the class itself: the number of its students changes without it.',
  params: classParams,
  response: { 200: api.Envelope(Class), 304: api.NotModified },
  problems: ['class_not_found'],
})

export const createClass = api.operation({
  operationId: 'createClass',
  tags: ['classes'],
  summary: 'Create a class',
  description: `${onlyForAll} With an \`Idempotency-Key\`, it is created once.`,
  body: api.RequestBody(
    {
      label: label,
      position: Type.Optional(position('Where it is to stand; without it, after the last')),
    },
    'NewClass',
  ),
  response: { 201: api.Created(api.Id('The new class', 13)) },
  problems: ['class_label_taken', ...api.creationProblems],
})

export const updateClass = api.operation({
  operationId: 'updateClass',
  tags: ['classes'],
  summary: 'Rename, order, archive or restore a class',
  description:
    "A merge patch (RFC 7396): what is absent stays. Needs `If-Match`. The new label shows at once in the class's students. Another label than the class has needs `classes.manage` for all classes: 403 `permission_denied` to who holds it for some alone.",
  params: classParams,
  body: api.RequestBody(
    {
      label: Type.Optional(labelSuchAs('Year 8 B')),
      position: Type.Optional(position('Where it is to stand among the others; those alike, by id')),
      archived: Type.Optional(archived),
    },
    'ClassPatch',
  ),
  response: { 200: api.Envelope(api.Changed(Class, 'classes.view')) },
  problems: ['class_not_found', 'class_label_taken', ...api.preconditionProblems],
})

export const deleteClass = api.operation({
  operationId: 'deleteClass',
  tags: ['classes'],
  summary: 'Delete a class that never had a student',
  description: `${onlyForAll} Needs \`If-Match\`. What accounts were granted for this class goes with it; a role that was granted for it alone is taken away. A class that has or had students is archived instead.`,
  params: classParams,
  response: { 200: api.Done('The class is deleted') },
  problems: ['class_not_found', 'class_in_use', ...api.preconditionProblems],
})
