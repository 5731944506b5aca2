import { kindsWithoutOptions } from '../fields/kinds.ts'
import { type Schema, Type } from '../http/json-schema.ts'
import * as api from '../http/operation.ts'
import { count } from '../http/paging.ts'
import { problemTable } from '../problems.ts'
import { sheetRefusalCodes } from '../sheets/refusal.ts'
import { failureCodes, rowEndReasons } from './codes.ts'
import { File, namedFile, sentenceParams, sheetName, storedCode, text, Warning } from './file-messages.ts'
import type { Answer } from './model.ts'
import { importKinds, importModes, importStates, likenesses, mostSamples, outcomes } from './model.ts'

/* What answers tell of imports. */

const oneAnswer = [
  { type: 'string', maxLength: 500 },
  { type: 'integer', minimum: 1, maximum: api.maxId },
]

/** The same without `anyOf`, to be answered: for that a validator would be compiled amid the first import. */
const shownAnswer = Object.assign({}, ...oneAnswer, { type: oneAnswer.map(({ type }) => type) })

const answersAs = <Value>(title: string, description: string, additionalProperties: object) =>
  ({
    ...{ type: 'object', title, description, additionalProperties },
    examples: [{ encoding: 'windows-1252' }],
  }) as unknown as Schema<Readonly<Record<string, Value>>> & { readonly type: 'object' }

export const Answers = answersAs<Answer>(
  'ImportAnswers',
  'What was answered, by the keys of the questions',
  shownAnswer,
)

const Decided = answersAs<Answer>(
  'ImportDecisions',
  'What the file told by itself, by the keys that questions on it would have',
  shownAnswer,
)

/** Answers in a patch. */
export const GivenAnswers = answersAs<Answer | null>(
  'GivenImportAnswers',
  'Answers, by the keys of the questions. What is left out stays; null takes an answer back',
  { anyOf: [...oneAnswer, { type: 'null' }] },
)

const newFieldKind = (description: string) =>
  Type.Enum(kindsWithoutOptions, { description, examples: ['date'] })

const Choice = Type.Object(
  {
    answer: { ...shownAnswer, description: 'What to send as the answer' } as Schema<Answer>,
    text: text(500, 'What it means, in English', 'Western European (Windows-1252)'),
    samples: Type.Optional(
      Type.Array(text(500, 'A cell of the file', 'Müller'), {
        maxItems: mostSamples,
        description: 'What would stand in real cells',
      }),
    ),
    kinds: Type.Optional(
      Type.Array(newFieldKind('A kind'), {
        maxItems: kindsWithoutOptions.length,
        description:
          'Of `new_field`: which kinds of field all cells of the column can be, the proposed one first. Send it as `new_field:KIND`',
      }),
    ),
    hidden: Type.Optional(
      Type.Boolean({ const: true, description: 'There are samples, which the caller may not see' }),
    ),
    likeness: Type.Optional(
      Type.Enum(likenesses, {
        title: 'ImportLikeness',
        description:
          'Of a class that is proposed for another label. `spelling`: the labels are the same but for case, spaces, dots, hyphens, zeros in front, ordinals and a word for class. `near`: they differ in more, and may mean two classes',
        examples: ['spelling'],
      }),
    ),
  },
  { title: 'ImportChoice' },
)

const Question = Type.Object(
  {
    key: text(300, 'What its answer is named by', 'encoding'),
    text: text(1_000, 'The question, in English', 'In which encoding is the file?'),
    required: Type.Boolean({ description: 'Whether there is no plan without an answer', examples: [true] }),
    rows: Type.Optional(count('How many rows of the file it is about, where they are counted', 12)),
    samples: Type.Optional(
      Type.Array(text(100, 'A name', 'Zoë Müller'), {
        maxItems: mostSamples,
        description:
          'Of `class.LABEL`: how the file calls some of the children. Whoever sees fewer classes than the plan’s account is not told',
      }),
    ),
    choices: Type.Array(Choice, { maxItems: 1_000, description: 'What can be answered; the proposed first' }),
  },
  { title: 'ImportQuestion', description: 'Something that only a person can decide' },
)

/** How many rows there are of each outcome, as a plan tells. */
export const plannedCounts = Object.fromEntries(
  [...outcomes, 'rows', 'missing'].map((name) => [
    name,
    count(
      name === 'missing'
        ? 'Of a `mirror`: students who are not in the file, and whom no doubtful row may be'
        : `Rows: \`${name}\``,
      name === 'rows' ? 800 : 0,
    ),
  ]),
) as Record<(typeof outcomes)[number] | 'rows' | 'missing', ReturnType<typeof count>>

const Counts = Type.Object(
  {
    ...plannedCounts,
    kept_create: Type.Optional(
      count('Once it is undone, or has undone itself: rows of `create` of which something stayed', 1),
    ),
    kept_change: Type.Optional(count('The same of `change`', 1)),
  },
  {
    title: 'ImportCounts',
    description:
      '`rows` = `create` + `change` + `unchanged` + `doubtful` + `refused` + `left_out`. What stayed is told to those who see all students',
  },
)

const Mapping = Type.Object(
  { id: api.Id('The mapping', 1), name: text(100, 'Its name', 'Export of the old system') },
  { title: 'UsedMapping' },
)

const NewField = Type.Object(
  {
    key: text(60, 'What rows of the plan call it, behind `fields.`', 'bus_line'),
    label: text(100, 'Its label', 'Bus line'),
    kind: Type.Optional(newFieldKind('Its kind; absent: `text`')),
    sensitive: Type.Optional(
      Type.Boolean({ description: 'Whether it is `sensitive`; absent: it is not', examples: [true] }),
    ),
  },
  { title: 'ImportNewField' },
)

const what = {
  id: api.Id('The import', 12),
  kind: Type.Enum(importKinds, { description: 'What its rows are', examples: ['students'] }),
  mode: Type.Enum(importModes, { description: 'What its rows may do', examples: ['upsert'] }),
  state: Type.Enum(importStates, {
    title: 'ImportState',
    description: 'Where it stands',
    examples: ['planned'],
  }),
}

const origin = {
  made_by: Type.Object(
    {
      user_id: Type.Optional(api.Id('The account', 7)),
      command: Type.Optional(text(100, 'The command', 'import')),
    },
    { description: 'Who made it' },
  ),
  created_at: api.DateTime('When its file began to come'),
  updated_at: api.DateTime('When it came into its state'),
}

/** Why an import ends. */
const endCodes = [...sheetRefusalCodes, ...failureCodes, ...Object.keys(problemTable)]

const standing = {
  counts: Type.Nullable(Counts),
  progress: Type.Nullable(
    Type.Object(
      { done: count('How many rows are done', 500), total: Type.Nullable(count('Of how many', 800)) },
      { title: 'ImportProgress', description: 'Of the step at work; null: none is' },
    ),
  ),
  failure: Type.Nullable(
    Type.Object(
      {
        code: storedCode(
          'ImportFailureCode',
          endCodes,
          'Stable: what programs should look at. New ones may come',
          'encrypted_file',
        ),
        detail: text(1_000, 'A sentence for people', 'This file has a password.'),
        params: sentenceParams('ImportFailureParams', {
          row: count('The row, as a spreadsheet numbers it', 3),
          sheet: sheetName('The name of its sheet'),
          cell: text(20, 'Where one cell is meant: its name', 'C5'),
          limit: count('The most that there may be', 200),
          reason: storedCode(
            'RowEndReason',
            rowEndReasons,
            'Of `row_not_applied`: what changed since it was planned. New ones may come',
            'cell_changed',
          ),
        }),
      },
      {
        title: 'ImportFailure',
        description: 'Why it is `refused`, `failed` or `cancelled`, or takes itself back',
      },
    ),
  ),
  change_set_id: Type.Nullable(api.Id('What it changed, in the log', 41)),
  undo_change_set_id: Type.Nullable(api.Id('What undoing it changed', 42)),
  emptied: Type.Boolean({ description: 'Whether its rows are erased', examples: [false] }),
}

/** An import in a list: without what its file holds, which may be megabytes. */
export const ListedImport = Type.Object(
  { ...what, file: Type.Object(namedFile, { title: 'ListedImportFile' }), ...origin, ...standing },
  { title: 'ListedImport' },
)

/** An import, as it is shown. */
export const Import = Type.Object(
  {
    ...what,
    file: File,
    ...origin,
    questions: Type.Array(Question, { maxItems: 1_000, description: 'What is to be answered, or may be' }),
    answers: Answers,
    decided: Decided,
    warnings: Type.Array(Warning, { maxItems: 11_000, description: 'What people ought to know of the file' }),
    mapping: Type.Nullable({ ...Mapping, description: 'The mapping whose answers were taken over' }),
    new_fields: Type.Array(NewField, {
      maxItems: 50,
      description: "Fields of the school's own that the plan makes of columns, when it is applied",
    }),
    ...standing,
  },
  { title: 'Import' },
)
