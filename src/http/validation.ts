import type { Ajv } from 'ajv'
import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { type FieldFault, Problem } from '../problems.ts'
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

type Fault = FastifySchemaValidationError & { parentSchema?: { properties?: Record<string, unknown> } }

/** How many faults the sentence for people tells. */
const maxFaultsInDetail = 10

/** How many faults `errors` lists: a body of nonsense must not be answered with a hundred times as much. */
export const maxFaults = 100

/** A 422 that names every bad field once, with what would be right; of very many, the first. */
export function validationProblem({ validation, validationContext }: FastifyError): Problem {
  const faults = new Map<string, FieldFault>()
  for (const fault of (validation ?? []) as Fault[]) {
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

function describe(fault: Fault, noun: 'member' | 'parameter'): FieldFault {
  const { instancePath, keyword, params, parentSchema } = fault
  const at = (name: unknown) => `${instancePath}/${escapePointer(String(name))}`
  switch (keyword) {
    case 'required':
      return { pointer: at(params.missingProperty), code: 'required', detail: 'is required' }
    case 'additionalProperties': {
      const accepted = Object.keys(parentSchema?.properties ?? {}).join(', ')
      const detail = `is not a known ${noun}; ${accepted ? `accepted are: ${accepted}` : 'none is accepted here'}`
      return { pointer: at(params.additionalProperty), code: `unknown_${noun}`, detail }
    }
    case 'type': {
      const types = [params.type].flat().map((type) => typeNames[String(type)] ?? String(type))
      return { pointer: instancePath, code: 'wrong_type', detail: `must be ${types.join(' or ')}` }
    }
    case 'enum':
      return {
        pointer: instancePath,
        code: 'not_allowed',
        detail: `must be one of ${(params.allowedValues as unknown[]).join(', ')}`,
      }
    case 'minItems':
    case 'maxItems': {
      const bound = keyword === 'minItems' ? 'at least' : 'at most'
      return {
        pointer: instancePath,
        code: keyword === 'minItems' ? 'too_few' : 'too_many',
        detail: `must have ${bound} ${params.limit} items`,
      }
    }
    case 'minLength':
      return {
        pointer: instancePath,
        code: 'too_short',
        detail: characters('at least', Number(params.limit)),
      }
    case 'maxLength':
      return { pointer: instancePath, code: 'too_long', detail: characters('at most', Number(params.limit)) }
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = parentSchema as { minimum: number; maximum: number }
      return { pointer: instancePath, code: 'out_of_range', detail: `must be from ${minimum} to ${maximum}` }
    }
    case 'format': {
      const format = textFormats[params.format as keyof typeof textFormats]
      return { pointer: instancePath, code: 'invalid_format', detail: format.detail }
    }
    default:
      return { pointer: instancePath, code: 'invalid', detail: fault.message ?? 'is not valid' }
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

function characters(bound: string, limit: number): string {
  return limit === 1 && bound === 'at least' ? 'must not be empty' : `must have ${bound} ${limit} characters`
}

/** RFC 6901 §3. A caller's own member name comes back, cut short. */
function escapePointer(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')
}
