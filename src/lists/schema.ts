import { Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import { PageOf, pageParameters } from '../http/paging.ts'
import { columns as columnNames, Filters, FiltersPatch, orders } from './parameters.ts'
import { maxLists } from './queries.ts'

const nameSuchAs = (example: string) => api.Text('list-name', 100, api.uniqueName, example)

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
    api.Text('short-text', 100, 'What stands above the list; null: its name', 'Year 7, by name'),
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

const givenPrint = api.RequestBody(Type.Partial(print), 'GivenListPrint')

const List = Type.Object(
  {
    id: api.Id('The list', 7),
    name: nameSuchAs('Year 7'),
    filters: Filters,
    columns,
    order,
    print: Type.Object(print, { title: 'ListPrint', description: 'How it is printed' }),
    version: api.Version('Counted up by each change of the list itself'),
  },
  {
    title: 'List',
    description:
      'It holds no students. Send `filters`, `columns` and `order` (as `sort`) to `GET /api/students`: the answer is by your own permissions.',
  },
)

const listParams = api.IdParams('ListId', 'The list', 7)

const onlyForAll =
  'Needs `lists.manage` for all classes: 403 `permission_denied` to callers who hold it for some only.'

export const listLists = api.operation({
  operationId: 'listLists',
  tags: ['lists'],
  summary: 'List the named lists',
  description: 'Ordered by id. A page past the end is empty, with the same total.',
  querystring: api.Query(pageParameters),
  response: { 200: PageOf(List) },
})

export const getList = api.operation({
  operationId: 'getList',
  tags: ['lists'],
  summary: 'Read one named list',
  description: 'Its `ETag` is of the list itself: the students that it finds change without it.',
  params: listParams,
  response: { 200: api.Envelope(List), 304: api.NotModified },
  problems: ['list_not_found'],
})

export const createList = api.operation({
  operationId: 'createList',
  tags: ['lists'],
  summary: 'Create a named list',
  description: `${onlyForAll} At most ${maxLists} lists. With an \`Idempotency-Key\`, it is created once.`,
  body: api.RequestBody(
    {
      name: nameSuchAs('Year 8'),
      ...Type.Partial({ filters: Filters, columns, order, print: givenPrint }),
    },
    'NewList',
  ),
  response: { 201: api.Created(api.Id('The new list', 7)) },
  problems: ['list_name_taken', 'too_many_lists', ...api.creationProblems],
})

export const updateList = api.operation({
  operationId: 'updateList',
  tags: ['lists'],
  summary: 'Change a named list',
  description: `A merge patch (RFC 7396): what is absent stays, in \`filters\` and \`print\` too. Needs \`If-Match\`. ${onlyForAll}`,
  params: listParams,
  body: api.RequestBody(
    Type.Partial({
      name: nameSuchAs('Year 9'),
      filters: FiltersPatch,
      columns,
      order,
      print: givenPrint,
    }),
    'ListPatch',
  ),
  response: { 200: api.Envelope(api.Changed(List, 'students.view')) },
  problems: ['list_not_found', 'list_name_taken', ...api.preconditionProblems],
})

export const deleteList = api.operation({
  operationId: 'deleteList',
  tags: ['lists'],
  summary: 'Delete a named list',
  description: `Needs \`If-Match\`. ${onlyForAll} Its students stay as they are.`,
  params: listParams,
  response: { 200: api.Done('The list is deleted') },
  problems: ['list_not_found', ...api.preconditionProblems],
})
