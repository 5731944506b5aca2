import { undoableDays } from '../audit/undo.ts'
import { Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import { PageOf, pageParameters } from '../http/paging.ts'
import { limits } from '../sheets/limits.ts'
import { maxSearchWords } from '../text/search-words.ts'
import { keptDays } from './erasing.ts'
import { GivenAnswers, Import, ListedImport, plannedCounts } from './messages.ts'
import { importKinds, importModes, importStates, outcomes, unfinishedStates } from './model.ts'
import { PlannedRow, RowDecision, RowGroup } from './row-messages.ts'

/** How many rows one request decides. */
const mostDecisions = 500

const tags = ['imports']

/** An import, with the tag of its new version. */
const Changed = { ...api.Envelope(Import), headers: ['ETag'] as const }
/** The path of one import. */
export const importParams = api.IdParams('ImportId', 'The import', 12)

const whoSees =
  'An import is seen by the account that made it, and by holders of `students.import` for all classes; one of classes, by holders of `classes.manage` for all.'

const kind = Type.Enum(importKinds, {
  title: 'ImportKind',
  default: 'students',
  description:
    'What the rows are. `students` needs `students.import`, `classes` needs `classes.manage` for all classes',
  examples: ['students'],
})

/** A parameter that narrows a list, or changes how it is shown, where it is `true`. */
const flag = (title: string, description: string) =>
  Type.Enum(['true', 'false'], { title, default: 'false', description, examples: ['true'] })

/** The media types that a file may come with. */
const fileTypes = [
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
]

export const createImport = api.operation({
  operationId: 'createImport',
  tags,
  summary: 'Send a file to import',
  description:
    'The answer is 202 once the file is stored; it is read afterwards, and nothing else changes before it is applied. The same file for the same `kind` and `mode` by the same account within a day is the same import, unless that was refused, cancelled, failed or undone, is being undone, or was applied before another file was.',
  querystring: api.Query(
    Type.Partial({
      kind,
      mode: Type.Enum(importModes, {
        title: 'ImportMode',
        default: 'upsert',
        description:
          'What rows may do. `create`: new ones alone; `update`: changes alone; `upsert`: both; `mirror`: both, and students of the classes in the file who are not in it are listed',
        examples: ['upsert'],
      }),
      file_name: Type.String({
        title: 'FileName',
        format: 'short-text',
        maxLength: 200,
        description: 'What people call the file; it decides nothing',
        examples: ['Year 7.xlsx'],
      }),
    }),
  ),
  file: {
    mediaTypes: fileTypes,
    description: 'A CSV or TSV file, or a spreadsheet (XLSX). What it is, its content tells',
  },
  response: {
    202: {
      ...api.Envelope(Type.Object({ id: api.Id('The import', 12) })),
      headers: ['Location'] as const,
    },
  },
  problems: ['file_too_large', 'too_many_imports', 'too_many_attempts', 'import_state', 'permission_denied'],
})

export const listImports = api.operation({
  operationId: 'listImports',
  tags,
  summary: 'List imports',
  description: `The newest first, without questions, answers and what else the file holds. ${whoSees} A page past the end is empty, with the same total.`,
  querystring: api.Query({
    ...pageParameters,
    ...Type.Partial({
      state: Type.Enum(importStates, {
        title: 'ImportStateAsked',
        description: 'Only imports in this state',
        examples: ['planned'],
      }),
      kind: Type.Enum(importKinds, {
        title: 'ImportKindAsked',
        description: 'Only imports of this kind',
        examples: ['students'],
      }),
      unfinished: flag(
        'UnfinishedImports',
        `Only imports that wait for somebody or are at work: ${unfinishedStates.map((state) => `\`${state}\``).join(', ')}`,
      ),
      later_than: Type.Integer({
        title: 'EarlierImport',
        minimum: 1,
        maximum: api.maxId,
        description:
          'Only applied imports that changed students after this applied import had. Where that is undone, what they changed stays',
        examples: [12],
      }),
    }),
  }),
  response: { 200: PageOf(ListedImport) },
  problems: ['import_not_found'],
})

export const getImport = api.operation({
  operationId: 'getImport',
  tags,
  summary: 'Read one import',
  description: `${whoSees} \`progress\` counts while a step is at work. Its rows are erased ${keptDays} days after it was last touched, or a day after where it was applied and changed nothing.`,
  params: importParams,
  response: { 200: api.Envelope(Import), 304: api.NotModified },
  problems: ['import_not_found'],
})

export const updateImport = api.operation({
  operationId: 'updateImport',
  tags,
  summary: 'Answer questions of an import, and decide rows',
  description:
    'Possible while it is `question` or `planned`. The file is read and planned anew with the answers. Needs `If-Match`. In an import that somebody else made, an answer is 403 that could show what the caller may not see.',
  params: importParams,
  body: api.RequestBody(
    Type.Partial({
      answers: GivenAnswers,
      decisions: Type.Array(RowDecision, {
        maxItems: mostDecisions,
        description: 'What doubtful rows are, and which rows are left out',
      }),
      mapping_name: api.Text(
        'list-name',
        100,
        'Keeps the answers under this name, for files with the same headings. Answers for others cannot have it',
        'Export of the old system',
      ),
    }),
    'ImportPatch',
  ),
  response: { 200: api.Envelope(Import) },
  problems: ['import_not_found', 'import_state', ...api.preconditionProblems],
})

export const cancelImport = api.operation({
  operationId: 'cancelImport',
  tags,
  summary: 'Cancel an import that is not applied',
  description:
    'Possible while it is `reading`, `question` or `planned`. Nothing of it was written. It takes `If-Match`, and needs none.',
  params: importParams,
  ...api.noMembers,
  response: { 200: Changed },
  problems: ['import_not_found', 'import_state', 'precondition_failed'],
})

export const applyImport = api.operation({
  operationId: 'applyImport',
  tags,
  summary: 'Apply a planned import',
  description:
    'Needs `If-Match` with the ETag of the plan; `*` is 428. 409 `plan_outdated` where records changed since: it is planned anew. 409 `threshold_exceeded` where it changes more students than the larger of 50 and 10 % of those that the caller may see, unless `confirm` repeats `change`. 409 `counts_differ` where a count in `confirm` is not that of the plan. A request without a body applies the plan as it is.',
  params: importParams,
  optionalBody: true,
  body: api.RequestBody(
    Type.Partial({
      refused: Type.Enum(['skip'], {
        description: 'Applies the other rows where some are refused',
        examples: ['skip'],
      }),
      confirm: Type.Object(Type.Partial(plannedCounts), {
        title: 'ConfirmedCounts',
        additionalProperties: false,
        description: 'Counts of the plan, repeated: it is applied only where it has these',
      }),
    }),
    'ImportApplication',
  ),
  response: { 202: Changed },
  problems: [
    'import_not_found',
    'import_state',
    'plan_outdated',
    'counts_differ',
    'threshold_exceeded',
    'rows_undecided',
    ...api.preconditionProblems,
  ],
})

export const undoImport = api.operation({
  operationId: 'undoImport',
  tags,
  summary: 'Undo an applied import',
  description: `Possible for ${undoableDays} days. Needs what applying it needed, by the class of each student now. What was changed since stays, and is listed by \`GET /api/imports/{id}/rows?kept=true\`; \`counts\` tells of how many rows. Before, \`rows?changed_since=true\` lists what may stay. Where nothing was changed, there is nothing to undo: 409. It takes \`If-Match\`, and needs none.`,
  params: importParams,
  ...api.noMembers,
  response: { 202: Changed },
  problems: [
    'import_not_found',
    'import_state',
    'permission_denied',
    'change_set_not_undoable',
    'precondition_failed',
  ],
})

export const listImportRows = api.operation({
  operationId: 'listImportRows',
  tags,
  summary: 'Read the plan of an import, row by row',
  description:
    'In the order of the file. With `group=true`, rows whose changes are alike are one entry, with their number, of those of which the caller sees every cell. `like_row` gives the rows of one such entry. Values that the caller may not see are absent, and `hidden` says so.',
  params: importParams,
  querystring: api.Query({
    ...pageParameters,
    ...Type.Partial({
      outcome: Type.Enum([...outcomes, 'missing'], {
        title: 'RowOutcome',
        description:
          'Only these; `missing`: students who are not in the file, of a `mirror`, by class and name. Of an applied import, those alone whose class has not changed since. No other parameter but pages goes with it',
        examples: ['doubtful'],
      }),
      outdated: flag('OutdatedRows', 'Only those whose records changed since an earlier plan'),
      kept: flag('KeptRows', 'Only those of which an undo left something, since it was changed afterwards'),
      changed_since: flag(
        'RowsChangedSince',
        'Only those whose students were changed since the import wrote them: an undo leaves what was changed. None where it is not `applied`',
      ),
      decided: flag('DecidedRows', 'Only those that somebody decided on'),
      column: Type.String({
        title: 'RowColumn',
        maxLength: 200,
        description: 'Only those of which the plan says something about this column',
        examples: ['class'],
      }),
      group: flag('GroupedRows', 'Rows whose changes are alike as one entry'),
      search: Type.String({
        title: 'RowSearch',
        maxLength: 100,
        description: `Words, at most ${maxSearchWords} different ones, that must all occur in the name or the number of the child, as the file or the record has them`,
        examples: ['zoe muller'],
      }),
      like_row: Type.Integer({
        title: 'LikeRow',
        minimum: 1,
        maximum: 2_097_151,
        description: 'Only those that are in one group with this row, as a spreadsheet numbers it',
        examples: [37],
      }),
      like_sheet: Type.String({
        title: 'LikeSheet',
        maxLength: limits.sheetName,
        description: 'The name of the sheet of `like_row`, where there are several',
        examples: ['7a'],
      }),
    }),
  }),
  response: { 200: PageOf(Type.Either(PlannedRow, RowGroup)) },
  problems: ['import_not_found'],
})
