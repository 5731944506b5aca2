import { type Schema, type Static, Type } from '../http/json-schema.ts'
import { Id } from '../http/operation.ts'
import { pageParameters } from '../http/paging.ts'
import { textFormats } from '../text/formats.ts'
import { maxSearchWords } from '../text/search-words.ts'
import { sensitiveMembers } from './details.ts'
import { sorts } from './lists/asked.ts'
import { type Condition, type OptionalField, optionalFields } from './lists/filter.ts'

const sensitive = 'Needs `students.sensitive`'

/** A filter by a field of a student: its parameter, and what a value of that asks for. */
export interface FieldFilter {
  readonly parameter: Schema<string>
  readonly asks: (value: string) => Condition
}

/** Whether a field is to be empty: for each that may be. */
function isEmpty(field: OptionalField): FieldFilter {
  const title = `${field.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Empty`
  const needs = (sensitiveMembers as readonly string[]).includes(field) ? `. ${sensitive}` : ''
  const description = `Only students without \`${field}\`, or only those with it${needs}`
  return {
    parameter: Type.Enum(['true', 'false'], { title, description, examples: ['true'] }),
    asks: (value) => ({ field, test: value === 'true' ? 'is null' : 'is not null' }),
  }
}

const birth = (title: string, description: string) =>
  Type.String({ title, format: 'date', maxLength: 10, description, examples: ['2014-08-01'] })

/** To add one: an entry here, and its words for named lists in `lists/parameters.ts`. */
export const fieldFilters = {
  gender: {
    parameter: Type.String({
      title: 'Gender',
      format: 'short-text',
      maxLength: 50,
      description: `Only students with just this text, case included. ${sensitive}`,
      examples: ['female'],
    }),
    asks: (value) => ({ field: 'gender', test: '=', value: textFormats['short-text'].normalise(value) }),
  },
  'date_of_birth.from': {
    parameter: birth('BirthFrom', `Only students born on this day or later. ${sensitive}`),
    asks: (value) => ({ field: 'date_of_birth', test: '>=', value }),
  },
  'date_of_birth.to': {
    parameter: birth('BirthTo', `Only students born on this day or earlier. ${sensitive}`),
    asks: (value) => ({ field: 'date_of_birth', test: '<=', value }),
  },
  ...(Object.fromEntries(optionalFields.map((field) => [`${field}.empty`, isEmpty(field)])) as Record<
    `${OptionalField}.empty`,
    FieldFilter
  >),
  'guardian_phone.empty': {
    parameter: Type.Enum(['true', 'false'], {
      title: 'GuardianPhoneEmpty',
      description: `Only students of whom no guardian has a phone number, or only those of whom one has. A text without a digit is no number. ${sensitive}`,
      examples: ['true'],
    }),
    asks: (value) => ({ field: 'guardians', test: value === 'true' ? 'has no phone' : 'has phone' }),
  },
} satisfies Record<string, FieldFilter>

export type FilterName = keyof typeof fieldFilters

type FilterParameters = Record<FilterName, Schema<string> & ReturnType<typeof Type.Optional>>

/** What a list of students is asked by. */
export const listQuery = Type.Object(
  {
    ...pageParameters,
    ...Type.Partial({
      search: Type.String({
        title: 'StudentSearch',
        maxLength: 100,
        description: `Words, at most ${maxSearchWords} different ones, that must all occur in the name, the preferred name, former names, the admission number or values of identifiers, in any order, ignoring case and accents: anywhere when a word has three characters or more, at the start of a word when it has one or two. A word of three characters or more that is part of another one does not count`,
        examples: ['zoe mul'],
      }),
      class_id: Type.Array(Id('A class', 3), {
        title: 'ClassIds',
        maxItems: 500,
        description: 'Only the students of this class; stands once for each class',
        examples: [[3, 5]],
      }),
      guardian: Type.String({
        title: 'GuardianSearch',
        maxLength: 100,
        description: `Only students with a guardian who is found by this; needs \`students.sensitive\`, and finds students of the classes for which that is held. Words, at most ${maxSearchWords} different ones, each the start of a word of the name, ignoring case and accents; or the beginning of the e-mail address; or four digits or more of the phone number, in which spaces, signs, a country's prefix and a leading zero do not count`,
        examples: ['030 901820'],
      }),
      sort: Type.Enum(sorts, {
        title: 'StudentSort',
        default: 'id',
        description:
          'What the list is ordered by, without it by id; descending with `-`. By a name: by the name without case and accents, then by the name itself, byte by byte; of one family name, by name. Students without a family name or a date of birth are last in both directions. What is alike is ordered by id.',
        examples: ['name'],
      }),
      columns: Type.String({
        title: 'StudentColumns',
        maxLength: 4_000,
        description:
          'Which members each student has in the answer, in this order, with commas between. Without it: `id,name,admission_number,class_id,class`. Besides: every optional member of a student, `created_at`, `updated_at`, and `fields.KEY` of the school’s own fields',
        examples: ['name,class,date_of_birth'],
      }),
    }),
    ...(Object.fromEntries(
      Object.entries(fieldFilters).map(([name, { parameter }]) => [name, Type.Optional(parameter)]),
    ) as FilterParameters),
  },
  {
    additionalProperties: false,
    // Of the school's own fields, whose keys no document tells.
    patternProperties: {
      '^fields\\.[a-z][a-z0-9_]{0,39}(\\.empty)?$': Type.String({ maxLength: 100, examples: ['fields.KEY'] }),
    },
  },
)

export type ListQuery = Static<typeof listQuery>
