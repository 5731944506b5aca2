import type { ProblemCode } from '../problems.ts'
import type { textFormats } from '../text/formats.ts'
import type { FileBody } from './context.ts'
import { type Members, type ObjectSchema, type Schema, Type } from './json-schema.ts'

/**
 * What a route's schema says: validation, serialisation, types and the OpenAPI document all come from it.
 * A schema with a `title` is a component of the document, of that name: one title, one schema. A parameter with a
 * title is a shared parameter.
 */
interface Operation {
  readonly operationId: string
  readonly tags: string[]
  readonly summary: string
  readonly description?: string
  readonly body?: Schema
  /** A request without a body has an empty object for it: no member is required. */
  readonly optionalBody?: true
  /** In place of `body`. */
  readonly file?: FileBody
  readonly params?: Schema
  readonly querystring?: Schema
  /** By status; each is a JSON answer of the contract, or a file. */
  readonly response: Readonly<Record<number, Schema>>
  /** The problems that this route can answer with, besides those that its guard and its body bring. */
  readonly problems?: readonly ProblemCode[]
}

/** The parameters of a query: every one is known. */
export const Query = <Properties extends Members>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** A route that names no query parameters takes none, and says so. */
const noQuery = Query({})

/** Checks an operation's shape and keeps its type, from which the handler's body, params, query and answer derive. */
export function operation<Op extends Operation>(op: Op): Op {
  return { querystring: noQuery, ...op }
}

/** Ids are positive integers below 2^53 on both engines. */
export const maxId = Number.MAX_SAFE_INTEGER

export const Id = (description: string, example = 1) =>
  Type.Integer({ minimum: 1, maximum: maxId, description, examples: [example] })

/** A text of 1 to so many characters, in one of our formats. */
export const Text = (
  format: keyof typeof textFormats | 'date',
  maxLength: number,
  description: string,
  example: string,
) => Type.String({ format, minLength: 1, maxLength, description, examples: [example] })

/** How a text is unique whose key is made by `uniqueKey`. */
export const uniqueName =
  'Unique in the platform: case, width and the kind of dash do not count. Trimmed, and composed to NFC; nothing invisible'

/** How often a record was changed, from 1. */
export const Version = (description: string) =>
  Type.Integer({ minimum: 1, maximum: maxId, description, examples: [1] })

/** The contract's `success: true`. */
export const Success = Type.Boolean({ const: true, description: 'Always true' })

/** `{ success: true, data }` */
export const Envelope = <Data extends Schema>(data: Data) => Type.Object({ success: Success, data })

/**
 * The record as a change answers with it: to callers who may not view it, its id alone. Its members stand as in the
 * record: fast-json-stringify writes those first that are always there.
 */
export function Changed<Record extends { id: number }>(
  { properties, required = [], ...record }: ObjectSchema & Schema<Record>,
  needed: string,
): Schema<Pick<Record, 'id'> & Partial<Record>> {
  const { description = '', title = '' } = record as { description?: string; title?: string }
  const names = [...required, ...Object.keys(properties)]
  const shown = `Callers without \`${needed}\` are shown the id alone. ${description}`
  return {
    ...record,
    title: `Changed${title}`,
    description: shown.trim(),
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    required: ['id'],
  } as Schema<Pick<Record, 'id'> & Partial<Record>>
}

/** What was done, for people. */
export const Message = (example: string) => Type.String({ maxLength: 100, examples: [example] })

/** `{ success: true, message }` */
export const Done = (example: string) => Type.Object({ success: Success, message: Message(example) })

/** An id in a path; 0: one that no record can have. */
export const PathId = (title: string, description: string, example: number) =>
  Type.Integer({ title, minimum: 0, maximum: maxId, description, examples: [example] })

/** The parameters of a path that ends in the id of a record. */
export const IdParams = (...id: Parameters<typeof PathId>) => Type.Object({ id: PathId(...id) })

/** An instant in UTC. */
export const DateTime = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 24, description, examples: ['2026-09-01T08:00:00.000Z'] })

/** What a creation can be refused for, wherever it takes an `Idempotency-Key`. */
export const creationProblems = ['idempotency_key_reused', 'too_many_attempts'] as const

/** What a change can be refused for, wherever it needs `If-Match`. */
export const preconditionProblems = ['precondition_required', 'precondition_failed'] as const

/** 201: the id of the new record; `Location` says where it is. */
export const Created = (id: ReturnType<typeof Id>) => ({
  ...Envelope(Type.Object({ id })),
  headers: ['Location'] as const,
})

/** 200: a file of one of these media types. It may take long; it is cut short where it can't be finished. */
export const File = (mediaTypes: readonly string[], description: string) => ({
  ...({ description } as Schema<string>),
  mediaTypes,
  headers: ['Content-Disposition'] as const,
})

/** 304: the client has the record already, as `If-None-Match` says. It has no body. */
export const NotModified = Type.Null({ description: 'The record is as `If-None-Match` has it; no body' })

/** A request body: every member is known. In a merge patch null takes a value away (RFC 7396). */
export const RequestBody = <Properties extends Members>(properties: Properties, title?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(title && { title }) })

/** Of an operation that takes no body: a member that is sent all the same is told, and not ignored. */
export const noMembers = {
  optionalBody: true,
  body: { ...RequestBody({}, 'NoMembers'), description: 'No member is taken' },
} as const
