import { Type } from '../http/json-schema.ts'
import {
  Changed,
  Created,
  Envelope,
  Id,
  maxId,
  NotModified,
  operation,
  RequestBody,
  Success,
} from '../http/operation.ts'
import { PageOf, pageParameters } from '../http/paging.ts'
import { columns as columnNames, Filters, FiltersPatch, orders } from './parameters.ts'
import { maxLists } from './queries.ts'

const nameSuchAs = (example: string) =>
  Type.String({
    format: 'list-name',
    minLength: 1,
    maxLength: 100,
    description:
      'Unique in the platform: case, width and the kind of dash do not count. Trimmed, and composed to NFC; nothing invisible',
    examples: [example],
  })

const columns = Type.Nullable(
  Type.Array(Type.String({ maxLength: 60 }), {
    minItems: 1,
    maxItems: 80,
    description: `What is shown of each student, in this order: ${columnNames.join(', ')}, or \`fields.KEY\`. Null: what \`GET /api/students\` shows without \`columns\``,
    examples: [['name', 'admission_number', 'class']],
  }),
)

const order = Type.Enum(orders, {
  description: 'What it is ordered by: `sort` of `GET /api/students`',
  examples: ['name'],
})

const print = {
  title: Type.Nullable(
    Type.String({
      format: 'short-text',
      minLength: 1,
      maxLength: 100,
      description: 'What stands above the list; null: its name',
      examples: ['Year 7, by name'],
    }),
  ),
  orientation: Type.Enum(['portrait', 'landscape'], {
    description: 'How the paper lies',
    examples: ['portrait'],
  }),
  rows_per_page: Type.Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      description: 'How many students on a sheet; null: as many as it holds',
      examples: [30],
    }),
  ),
}

const givenPrint = Type.Optional(
  RequestBody(
    {
      title: Type.Optional(print.title),
      orientation: Type.Optional(print.orientation),
      rows_per_page: Type.Optional(print.rows_per_page),
    },
    'GivenListPrint',
  ),
)

const List = Type.Object(
  {
    id: Id('The list', 7),
    name: nameSuchAs('Year 7'),
    filters: Filters,
    columns,
    order,
    print: Type.Object(print, { title: 'ListPrint', description: 'How it is printed' }),
    version: Type.Integer({
      minimum: 1,
      maximum: maxId,
      description: 'Counted up by each change of the list itself',
      examples: [1],
    }),
  },
  {
    title: 'List',
    description:
      'It holds no students. Send `filters`, `columns` and `order` (as `sort`) to `GET /api/students`: the answer is by your own permissions.',
  },
)

const listParams = Type.Object({
  id: Type.Integer({
    title: 'ListId',
    minimum: 0,
    maximum: maxId,
    description: 'The list',
    examples: [7],
  }),
})

const onlyForAll =
  'Needs `lists.manage` for all classes: 403 `permission_denied` to callers who hold it for some only.'

export const listLists = operation({
  operationId: 'listLists',
  tags: ['lists'],
  summary: 'List the named lists',
  description: 'Ordered by id. A page past the end is empty, with the same total.',
  querystring: Type.Object(pageParameters, { additionalProperties: false }),
  response: { 200: PageOf(List) },
})

export const getList = operation({
  operationId: 'getList',
  tags: ['lists'],
  summary: 'Read one named list',
  description: 'Its `ETag` is of the list itself: the students that it finds change without it.',
  params: listParams,
  response: { 200: Envelope(List), 304: NotModified },
  problems: ['list_not_found'],
})

export const createList = operation({
  operationId: 'createList',
  tags: ['lists'],
  summary: 'Create a named list',
  description: `${onlyForAll} At most ${maxLists} lists. With an \`Idempotency-Key\`, it is created once.`,
  body: RequestBody(
    {
      name: nameSuchAs('Year 8'),
      filters: Type.Optional(Filters),
      columns: Type.Optional(columns),
      order: Type.Optional(order),
      print: givenPrint,
    },
    'NewList',
  ),
  response: { 201: Created(Id('The new list', 7)) },
  problems: ['list_name_taken', 'too_many_lists', 'idempotency_key_reused', 'too_many_attempts'],
})

export const updateList = operation({
  operationId: 'updateList',
  tags: ['lists'],
  summary: 'Change a named list',
  description: `A merge patch (RFC 7396): what is absent stays, in \`filters\` and \`print\` too. Needs \`If-Match\`. ${onlyForAll}`,
  params: listParams,
  body: RequestBody(
    {
      name: Type.Optional(nameSuchAs('Year 9')),
      filters: Type.Optional(FiltersPatch),
      columns: Type.Optional(columns),
      order: Type.Optional(order),
      print: givenPrint,
    },
    'ListPatch',
  ),
  response: { 200: Envelope(Changed(List, 'students.view')) },
  problems: ['list_not_found', 'list_name_taken', 'precondition_failed', 'precondition_required'],
})

export const deleteList = operation({
  operationId: 'deleteList',
  tags: ['lists'],
  summary: 'Delete a named list',
  description: `Needs \`If-Match\`. ${onlyForAll} Its students stay as they are.`,
  params: listParams,
  response: {
    200: Type.Object({
      success: Success,
      message: Type.String({ maxLength: 100, examples: ['The list is deleted'] }),
    }),
  },
  problems: ['list_not_found', 'precondition_failed', 'precondition_required'],
})
