import {
  type FaultParams,
  type FieldFault,
  faultTable,
  Problem,
  type ProblemCode,
  problemBody,
  problemTable,
} from '../problems.ts'
import { textFormats } from '../text/formats.ts'
import { type Members, type Schema, Type } from './json-schema.ts'
import type { Components } from './openapi-components.ts'
import { headersOf } from './openapi-headers.ts'
import { Id } from './operation.ts'
import { maxFaults } from './validation.ts'

const names = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[]
const text = (maxLength: number, description: string) => Type.String({ maxLength, description })
const number = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })
const texts = (description: string) =>
  Type.Array(Type.String({ maxLength: 100 }), { maxItems: maxFaults, description })

const params: Record<keyof FaultParams, Schema> = {
  limit: number('How many items, characters or words there may be at most, or must be at least'),
  minimum: number('The least that is accepted'),
  maximum: number('The most that is accepted'),
  accepted: texts('The names or values that are accepted here'),
  types: texts('The JSON types that are accepted here'),
  format: Type.Enum(names(textFormats), { description: "The `format` of the field's schema" }),
  made_of: Type.Enum<FaultParams['made_of']>(['email', 'name', 'service'], {
    description: 'What the value is made of',
  }),
}

const codesWithParams = names(faultTable).filter((code) => faultTable[code].length > 0)

const FaultSchema = Type.Object(
  {
    pointer: text(1000, 'JSON Pointer (RFC 6901) to the field, or / and the parameter'),
    code: Type.Enum(names(faultTable), { title: 'FieldFaultCode', description: 'What is wrong' }),
    detail: text(1000, 'What would be right, in English'),
    params: Type.Optional(
      Type.Object(
        Object.fromEntries(Object.entries(params).map(([name, schema]) => [name, Type.Optional(schema)])),
        {
          title: 'FieldFaultParams',
          description: `What \`detail\` depends on, to say it in another language. ${codesWithParams
            .map((code) => `\`${code}\`: ${faultTable[code].map((name) => `\`${name}\``).join(', ')}`)
            .join('; ')}`,
        },
      ),
    ),
  },
  { title: 'FieldFault', description: 'A field that is not as it must be' },
)

/** A problem as answers carry it. @param members what it may have besides, of the rooms */
export function problemSchema(members: Members): Schema {
  return Type.Object(
    {
      success: Type.Boolean({ const: false }),
      type: text(100, 'A URN that names the code'),
      title: text(100, 'The code in words'),
      status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status' }),
      detail: text(10_000, 'What would be right'),
      message: text(10_000, 'The same as `detail`'),
      code: Type.Enum(names(problemTable), {
        title: 'ProblemCode',
        description: 'Stable: what programs should look at',
      }),
      request_id: text(100, "The X-Request-Id of this answer, and of the server's log"),
      errors: Type.Optional(
        Type.Array(FaultSchema, {
          maxItems: maxFaults,
          description: `Every bad field; of very many, the first ${maxFaults}`,
        }),
      ),
      ids: Type.Optional(
        Type.Array(Id('A record that the problem is about'), {
          maxItems: maxFaults,
          description: 'The records that the problem is about',
        }),
      ),
      ...Object.fromEntries(Object.entries(members).map(([name, member]) => [name, Type.Optional(member)])),
    },
    { title: 'Problem', description: 'Problem details (RFC 9457)' },
  )
}

/**
 * One answer for each status, whose `code` is one of those that it can carry. Operations whose codes are the same
 * share it; it is named for them.
 */
export function describeProblems(
  components: Components,
  problem: Schema,
  codes: ReadonlySet<ProblemCode>,
): Record<string, object> {
  const listed = names(problemTable).filter((code) => codes.has(code))
  const byStatus = Map.groupBy(listed, (code) => problemTable[code][0])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, describeAnswer(components, problem, status, codes)]),
  )
}

function describeAnswer(
  components: Components,
  problem: Schema,
  status: number,
  codes: readonly ProblemCode[],
): object {
  const narrowed = {
    type: 'object',
    required: ['status', 'code'],
    properties: { status: { const: status }, code: { type: 'string', enum: codes } },
  }
  const content = {
    schema: { allOf: [components.schema(problem), narrowed] },
    examples: Object.fromEntries(
      codes.map((code) => [code, components.refer('examples', code, { value: exampleOf(code) })]),
    ),
  }
  return components.refer('responses', `${codes.map(inPascalCase).join('Or')}Problem`, {
    description: codes.map((code) => `\`${code}\`: ${problemTable[code][1]}`).join('\n\n'),
    headers: headersOf(components, String(status)),
    content: { 'application/problem+json': content },
  })
}

function inPascalCase(code: string): string {
  return code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

const exampleFault: FieldFault = { pointer: '/name', code: 'required', detail: 'is required' }

function exampleOf(code: ProblemCode): object {
  const isOfFields = code === 'validation_failed'
  const detail = isOfFields ? '/name is required.' : `${problemTable[code][1]}.`
  const problem = new Problem(code, detail, isOfFields ? { errors: [exampleFault] } : {})
  return problemBody(problem, '5a1e0f2c-7d0f-4f5c-9b43-0d5a6c2f8a11')
}
