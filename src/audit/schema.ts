import type { LoggedRecord } from '../events/log.ts'
import { type Schema, Type } from '../http/json-schema.ts'
import { Envelope, Id, maxId, noMembers, operation, Success } from '../http/operation.ts'
import { usualPerPage } from '../http/paging.ts'

/** What kinds of records are logged. */
export const records = [
  'student',
  'class',
  'account',
  'role',
  'field',
  'school',
  'list',
  'double',
  'export',
] as const satisfies readonly LoggedRecord[]

/** How many entries a page has at most. */
const maxEntries = 100

const actions = ['created', 'changed', 'removed'] as const

const howMuch = ['all', 'some', 'none'] as const
/** How much of a change went back with the undo of its change set. */
export type HowMuch = (typeof howMuch)[number]

const anyValue = (description: string): Schema => ({ description }) as Schema

const instant = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 24, description, examples: ['2026-09-01T08:00:00.000Z'] })

const changeSetOrNone = (description: string) =>
  Type.Nullable(Type.Integer({ minimum: 1, maximum: maxId, description, examples: [41] }))

const record = Type.Enum(records, { description: 'What kind of record changed', examples: ['student'] })
const fieldName = Type.String({ maxLength: 120, description: 'The field', examples: ['family_name'] })

const Entry = Type.Object(
  {
    change_set_id: Id('The change set: all changes of one request, import or command', 42),
    kind: Type.String({
      maxLength: 20,
      description: '`edit`, `command`, `undo`, `export` or `import`',
      examples: ['edit'],
    }),
    made_at: instant('When it was made'),
    by: Type.Object(
      {
        user_id: Type.Optional(Id('The account', 7)),
        name: Type.Optional(Type.Nullable(Type.String({ maxLength: 255, examples: ['Anna Berg'] }))),
        command: Type.Optional(Type.String({ maxLength: 100, examples: ['class rename'] })),
      },
      { description: 'Who made it: an account, or a command; nobody where a visitor registered' },
    ),
    note: Type.Nullable(Type.String({ maxLength: 200, examples: ['of change set 41'] })),
    import: Type.Optional(
      Type.Object(
        {
          id: Id('The import', 12),
          row: Type.Nullable(
            Type.Integer({
              minimum: 1,
              maximum: maxId,
              description: 'The row of the file, as a spreadsheet numbers it; null: of no single one',
              examples: [37],
            }),
          ),
          sheet: Type.Nullable(
            Type.Integer({ minimum: 1, maximum: maxId, description: 'Its sheet, from 1', examples: [1] }),
          ),
        },
        { title: 'EntryImport', description: 'The import that made it' },
      ),
    ),
    undoes: changeSetOrNone('The change set that this one undoes'),
    undone_by: changeSetOrNone('The change set that undid this one'),
    undone: Type.Optional(
      Type.Enum(howMuch, {
        description: 'How much of this change that undo took back; `none`: all of it was kept',
        examples: ['all'],
      }),
    ),
    record,
    record_id: Id('Its id', 1),
    action: Type.Enum(actions, { description: 'What was done', examples: ['changed'] }),
    changes: Type.Array(
      Type.Object({
        field: fieldName,
        from: anyValue('What it was; null: nothing'),
        to: anyValue('What it is from then on; null: nothing'),
      }),
      { description: 'Each field that changed' },
    ),
    hidden: Type.Array(fieldName, {
      description: 'Fields that changed too, whose values the caller may not see',
      examples: [['notes']],
    }),
  },
  { title: 'Entry' },
)

const EntryPage = Type.Object(
  {
    success: Success,
    data: Type.Array(Entry),
    next: Type.Nullable(
      Type.String({
        maxLength: 30,
        description: 'What `before` is on the next page; null: this is the last one',
        examples: ['42.1'],
      }),
    ),
  },
  { title: 'EntryPage' },
)

const entryParameters = {
  per_page: Type.Optional(
    Type.Integer({
      title: 'EntriesPerPage',
      minimum: 1,
      maximum: maxEntries,
      default: usualPerPage,
      description: `How many on a page; without it, ${usualPerPage}. An entry can be long: it has what was and what is`,
      examples: [usualPerPage],
    }),
  ),
  before: Type.Optional(
    Type.String({
      maxLength: 30,
      description: '`next` of the page before; without it, the newest entries',
      examples: ['42.1'],
    }),
  ),
}

const idOf = (description: string) =>
  Type.Object({ id: Type.Integer({ minimum: 0, maximum: maxId, description, examples: [1] }) })

const history = <Code extends 'student_not_found' | 'class_not_found' | 'user_not_found' | 'role_not_found'>(
  operationId: string,
  what: string,
  problem: Code,
  description = '',
) =>
  operation({
    operationId,
    tags: ['audit'],
    summary: `Read the history of one ${what}`,
    description: `The newest change first. ${description}`.trim(),
    params: idOf(`The ${what}`),
    querystring: Type.Object(entryParameters, { additionalProperties: false }),
    response: { 200: EntryPage },
    problems: [problem],
  })

export const listStudentHistory = history(
  'listStudentHistory',
  'student',
  'student_not_found',
  'It tells of the time in which the student was in a class that the caller may see. Values that need `students.sensitive` are named only.',
)
export const listClassHistory = history('listClassHistory', 'class', 'class_not_found')
export const listUserHistory = history('listUserHistory', 'account', 'user_not_found')
export const listRoleHistory = history('listRoleHistory', 'role', 'role_not_found')

const time = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 24,
      description: `${description}: a day or an instant, UTC`,
      examples: ['2026-09-01'],
    }),
  )

export const listAudit = operation({
  operationId: 'listAudit',
  tags: ['audit'],
  summary: 'Read the log of all changes',
  description:
    'The newest change first; nothing is counted. Needs `audit.view`. With `actor=me` everyone reads what they changed themselves.',
  querystring: Type.Object(
    {
      ...entryParameters,
      actor: Type.Optional(
        Type.String({ maxLength: 16, description: 'The id of an account, or `me`', examples: ['me'] }),
      ),
      record: Type.Optional(record),
      record_id: Type.Optional(Id('Only of the records with this id', 1)),
      action: Type.Optional(Type.Enum(actions, { description: 'Only these', examples: ['changed'] })),
      since: time('Not before'),
      until: time('Before'),
    },
    { additionalProperties: false },
  ),
  response: { 200: EntryPage },
  problems: ['permission_denied'],
})

const Touched = (title: string, fields: string) =>
  Type.Object(
    { record, record_id: Id('Its id', 1), fields: Type.Array(fieldName, { description: fields }) },
    { title },
  )

export const undoChangeSet = operation({
  operationId: 'undoChangeSet',
  tags: ['audit'],
  summary: 'Undo a change set',
  description:
    'For 30 days, for creations and changes of students and classes, and for settled doubles. What nobody changed since goes back; what was changed since stays, and the answer lists it as kept. A value that was taken back itself since does not return: the one before it does. An undo is a change set, and can be undone. It needs the permissions of the change itself, by the class of the student now.',
  params: idOf('The change set'),
  ...noMembers,
  response: {
    200: Envelope(
      Type.Object(
        {
          change_set_id: changeSetOrNone('The change set of the undo; null where all was kept'),
          undone: Type.Array(
            Touched('Undone', 'What went back; none where the whole record was made or removed'),
          ),
          kept: Type.Array(Touched('Kept', 'What was changed since, or cannot go back')),
        },
        { title: 'UndoResult' },
      ),
    ),
  },
  problems: ['permission_denied', 'change_set_not_found', 'change_set_undone', 'change_set_not_undoable'],
})
