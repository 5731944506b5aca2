import type { Ajv } from 'ajv'
import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { type Fault, type FieldFault, Problem } from '../problems.ts'
import { textFormats, unseenIn } from '../text/formats.ts'
import { codePoints } from '../text/normalise.ts'

/** Nothing is coerced, nothing dropped, no default filled in, and every fault is told. */
export const ajvOptions = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors: true,
    verbose: true,
  } as const,
  onCreate(ajv: Ajv): void {
    for (const [name, { accepts }] of Object.entries(textFormats))
      ajv.addFormat(name, { type: 'string', validate: accepts })
  },
}

type SchemaFault = FastifySchemaValidationError & {
  /** What stands in the field. */
  data?: unknown
  parentSchema?: {
    properties?: Record<string, unknown>
    readonly patternProperties?: Readonly<Record<string, { readonly examples?: readonly string[] }>>
    description?: string
  }
}

/** How many faults the sentence for people tells. */
const maxFaultsInDetail = 10

/** How many faults `errors` lists: a body of nonsense must not be answered with a hundred times as much. */
export const maxFaults = 100

/** A 422 that names every bad field once, with what would be right; of very many, the first. */
export function validationProblem({ validation, validationContext }: FastifyError): Problem {
  const faults = new Map<string, FieldFault>()
  for (const fault of withoutAlternatives((validation ?? []) as SchemaFault[])) {
    if (fault.keyword === 'if') continue // what its branch asks for is told by itself
    const described = describe(fault, validationContext === 'querystring' ? 'parameter' : 'member')
    if (!faults.has(described.pointer)) faults.set(described.pointer, described)
  }
  return faultsProblem([...faults.values()])
}

/**
 * Of a value that none of several schemas takes: what the one of its type says, or all their types. A fault is looked for
 * among those of its own field alone: there may be tens of thousands.
 */
function withoutAlternatives(faults: readonly SchemaFault[]): SchemaFault[] {
  const byField = Map.groupBy(faults, ({ instancePath }) => instancePath)
  return faults.flatMap((fault) => {
    if (fault.keyword !== 'type') return [fault]
    const beside = byField.get(fault.instancePath)!
    const above = beside.find(
      ({ keyword, schemaPath }) => keyword === 'anyOf' && fault.schemaPath.startsWith(`${schemaPath}/`),
    )
    if (above === undefined) return [fault]
    const others = beside.filter(({ schemaPath }) => schemaPath.startsWith(`${above.schemaPath}/`))
    if (others.some(({ keyword }) => keyword !== 'type')) return []
    return [{ ...fault, params: { type: others.flatMap(({ params }) => params.type) } }]
  })
}

/** A 422 for these fields; of very many, it tells the first. */
export function faultsProblem(faults: readonly FieldFault[]): Problem {
  const errors = faults.slice(0, maxFaults)
  const told = errors
    .slice(0, maxFaultsInDetail)
    .map(({ pointer, detail }) => `${pointer || 'The body'} ${detail}`)
  const untold = faults.length - told.length
  const listed = faults.length > maxFaults ? `errors lists the first ${maxFaults}` : 'which errors lists'
  if (untold > 0) told.push(`and ${untold} more, ${listed}`)
  return new Problem('validation_failed', `${told.join('; ')}.`, { errors })
}

/** Does each of these, and tells the faults of all at once. @throws Problem validation_failed */
export function allOrFaults<Values extends readonly unknown[]>(
  ...works: { readonly [I in keyof Values]: () => Values[I] }
): Values {
  const faults: FieldFault[] = []
  const values = works.map((work) => {
    try {
      return work()
    } catch (error) {
      faults.push(...faultsIn(error))
      return undefined
    }
  })
  if (faults.length > 0) throw faultsProblem(faults)
  return values as unknown as Values
}

/**
 * The same for works that may wait for the database, one after another. Each is told whether there are faults already.
 * @throws Problem validation_failed
 */
export async function allOrFaultsInTurn<Values extends readonly unknown[]>(
  ...works: { readonly [I in keyof Values]: (areFaulty: boolean) => Promise<Values[I]> | Values[I] }
): Promise<Values> {
  const faults: FieldFault[] = []
  const values: unknown[] = []
  for (const work of works) {
    try {
      values.push(await work(faults.length > 0))
    } catch (error) {
      faults.push(...faultsIn(error))
    }
  }
  if (faults.length > 0) throw faultsProblem(faults)
  return values as unknown as Values
}

/** The bad fields that a problem names. @throws what is none of these */
function faultsIn(error: unknown): readonly FieldFault[] {
  if (!(error instanceof Problem) || error.errors === undefined) throw error
  return error.errors
}

function describe(fault: SchemaFault, noun: 'member' | 'parameter'): FieldFault {
  const { params } = fault
  // One value of a parameter that stands more than once is called by the parameter's name.
  const instancePath = noun === 'parameter' ? fault.instancePath.replace(/\/\d+$/, '') : fault.instancePath
  const name = params.missingProperty ?? params.additionalProperty
  const pointer = name === undefined ? instancePath : `${instancePath}/${escapePointer(String(name))}`
  return { pointer, ...faultOf(fault, noun) }
}

function faultOf(
  { keyword, params, parentSchema, schemaPath, message, data }: SchemaFault,
  noun: 'member' | 'parameter',
): Fault {
  const limit = Number(params.limit)
  switch (keyword) {
    case 'required': {
      const besides = schemaPath.endsWith('/else/required') ? `; ${parentSchema?.description}` : ''
      return { code: 'required', detail: `is required${besides}` }
    }
    case 'additionalProperties': {
      const { properties = {}, patternProperties = {} } = parentSchema ?? {}
      const patterns = Object.values(patternProperties).flatMap(({ examples = [] }) => examples)
      const accepted = [...Object.keys(properties), ...patterns]
      const names = accepted.length > 0 ? `accepted are: ${accepted.join(', ')}` : 'none is accepted here'
      const code = noun === 'member' ? 'unknown_member' : 'unknown_parameter'
      return { code, detail: `is not a known ${noun}; ${names}`, params: { accepted } }
    }
    case 'type': {
      return wrongType([params.type].flat().map(String))
    }
    case 'enum': {
      const allowed = params.allowedValues as unknown[]
      const accepted = allowed.filter((one) => one !== null).map(String)
      const orNull = allowed.includes(null) ? ', or null' : ''
      const detail = `must be one of ${accepted.join(', ')}${orNull}`
      return { code: 'not_allowed', detail, params: { accepted } }
    }
    case 'minItems':
      return { code: 'too_few', detail: `must have at least ${limit} items`, params: { limit } }
    case 'maxItems':
      return tooMany(limit)
    case 'minLength':
      return tooShort(limit)
    case 'maxLength':
      return tooLong(limit)
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = parentSchema as { minimum: number; maximum: number }
      const detail = `must be from ${minimum} to ${maximum}`
      return { code: 'out_of_range', detail, params: { minimum, maximum } }
    }
    case 'format':
      return invalidFormat(params.format as keyof typeof textFormats, data)
    default:
      return { code: 'invalid', detail: message ?? 'is not valid' }
  }
}

/** A value of another JSON type than these. */
export function wrongType(types: readonly string[]): Fault {
  const detail = `must be ${types.map((type) => typeNames[type] ?? type).join(' or ')}`
  return { code: 'wrong_type', detail, params: { types } }
}

/** A list of more items. */
export function tooMany(limit: number): Fault {
  return { code: 'too_many', detail: `must have at most ${limit} items`, params: { limit } }
}

function tooShort(limit: number): Fault {
  const detail = limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
  return { code: 'too_short', detail, params: { limit } }
}

function tooLong(limit: number): Fault {
  return { code: 'too_long', detail: `must have at most ${limit} characters`, params: { limit } }
}

/** @param value what stands there: a character of it that nobody sees is named */
function invalidFormat(format: keyof typeof textFormats, value: unknown): Fault {
  const unseen = typeof value === 'string' ? unseenIn(value, format) : undefined
  const { detail } = textFormats[format]
  const told = unseen === undefined ? detail : `${detail}; it holds ${unseen}`
  return { code: 'invalid_format', detail: told, params: { format } }
}

/** What is wrong with a text, as a schema of this format and length would say it. The text is normalised. */
export function faultOfText(
  text: string,
  { format, maxLength }: { readonly format: keyof typeof textFormats; readonly maxLength: number },
): Fault | undefined {
  if (text === '') return tooShort(1)
  if (codePoints(text) > maxLength) return tooLong(maxLength)
  return textFormats[format].accepts(text) ? undefined : invalidFormat(format, text)
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'an array',
  null: 'null',
}

/** A part of a JSON Pointer (RFC 6901 §3). A caller's own member name comes back, cut short. */
export function escapePointer(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')
}
