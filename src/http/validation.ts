import type { Ajv } from 'ajv'
import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { type Fault, type FieldFault, Problem } from '../problems.ts'
import { textFormats } from '../text/formats.ts'

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

type SchemaFault = FastifySchemaValidationError & { parentSchema?: { properties?: Record<string, unknown> } }

/** How many faults the sentence for people tells. */
const maxFaultsInDetail = 10

/** How many faults `errors` lists: a body of nonsense must not be answered with a hundred times as much. */
export const maxFaults = 100

/** A 422 that names every bad field once, with what would be right; of very many, the first. */
export function validationProblem({ validation, validationContext }: FastifyError): Problem {
  const faults = new Map<string, FieldFault>()
  for (const fault of (validation ?? []) as SchemaFault[]) {
    const described = describe(fault, validationContext === 'querystring' ? 'parameter' : 'member')
    if (!faults.has(described.pointer)) faults.set(described.pointer, described)
  }
  return faultsProblem([...faults.values()])
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

function describe(fault: SchemaFault, noun: 'member' | 'parameter'): FieldFault {
  const { params } = fault
  // One value of a parameter that stands more than once is called by the parameter's name.
  const instancePath = noun === 'parameter' ? fault.instancePath.replace(/\/\d+$/, '') : fault.instancePath
  const name = params.missingProperty ?? params.additionalProperty
  const pointer = name === undefined ? instancePath : `${instancePath}/${escapePointer(String(name))}`
  return { pointer, ...faultOf(fault, noun) }
}

function faultOf(
  { keyword, params, parentSchema, message }: SchemaFault,
  noun: 'member' | 'parameter',
): Fault {
  const limit = Number(params.limit)
  switch (keyword) {
    case 'required':
      return { code: 'required', detail: 'is required' }
    case 'additionalProperties': {
      const accepted = Object.keys(parentSchema?.properties ?? {})
      const names = accepted.length > 0 ? `accepted are: ${accepted.join(', ')}` : 'none is accepted here'
      const code = noun === 'member' ? 'unknown_member' : 'unknown_parameter'
      return { code, detail: `is not a known ${noun}; ${names}`, params: { accepted } }
    }
    case 'type': {
      const types = [params.type].flat().map(String)
      const detail = `must be ${types.map((type) => typeNames[type] ?? type).join(' or ')}`
      return { code: 'wrong_type', detail, params: { types } }
    }
    case 'enum': {
      const accepted = (params.allowedValues as unknown[]).map(String)
      return { code: 'not_allowed', detail: `must be one of ${accepted.join(', ')}`, params: { accepted } }
    }
    case 'minItems':
      return { code: 'too_few', detail: `must have at least ${limit} items`, params: { limit } }
    case 'maxItems':
      return { code: 'too_many', detail: `must have at most ${limit} items`, params: { limit } }
    case 'minLength': {
      const detail = limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
      return { code: 'too_short', detail, params: { limit } }
    }
    case 'maxLength':
      return { code: 'too_long', detail: `must have at most ${limit} characters`, params: { limit } }
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = parentSchema as { minimum: number; maximum: number }
      const detail = `must be from ${minimum} to ${maximum}`
      return { code: 'out_of_range', detail, params: { minimum, maximum } }
    }
    case 'format': {
      const format = params.format as keyof typeof textFormats
      return { code: 'invalid_format', detail: textFormats[format].detail, params: { format } }
    }
    default:
      return { code: 'invalid', detail: message ?? 'is not valid' }
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'an array',
  null: 'null',
}

/** RFC 6901 §3. A caller's own member name comes back, cut short. */
function escapePointer(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')
}
