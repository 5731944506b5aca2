import { setImmediate as turn } from 'node:timers/promises'
import buildAjvCompiler from '@fastify/ajv-compiler'
import buildJsonCompiler from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchema } from 'fastify'
import type {
  FastifyRouteSchemaDef,
  FastifySerializerCompiler,
  FastifyValidationResult,
} from 'fastify/types/schema.js'
import { withJsonTexts } from './json-text.ts'
import { ajvOptions } from './validation.ts'

/** Compiles what has not been used yet, a schema in each turn of the event loop. @returns how many it were */
export type CompileAhead = () => Promise<number>

const compileValidator = buildAjvCompiler()({}, ajvOptions)
const validatorOf = forEachSchema(
  (route: FastifyRouteSchemaDef<FastifySchema>) => compileValidator(route) as FastifyValidationResult,
)

const compileSerializer = buildJsonCompiler()()
const serializerOf = forEachSchema((route: Parameters<FastifySerializerCompiler<FastifySchema>>[0]) =>
  withJsonTexts(route.schema, compileSerializer({ ...route, httpStatus: route.httpStatus ?? '' })),
)

/** Compiles a schema once in a process: routes are declared by constants, which all its apps share. */
function forEachSchema<Route extends { readonly schema: FastifySchema }, Made>(
  compile: (route: Route) => Made,
) {
  const known = new WeakMap<FastifySchema, Made>()
  return (route: Route): Made => {
    const made = known.get(route.schema) ?? compile(route)
    known.set(route.schema, made)
    return made
  }
}

/**
 * Has each schema compiled when it is first used, by Fastify's own compilers: to compile what every route may take
 * and answer took two fifths of the start.
 * @returns what compiles the rest once the server listens, so that few requests wait for it
 */
export function compileWhenUsed(app: FastifyInstance): CompileAhead {
  const uncompiled = new Set<() => unknown>()

  /** A function that is made by its first caller. */
  function once<Made>(compile: () => Made): () => Made {
    let made: Made | undefined
    const get = () => {
      if (made === undefined) {
        uncompiled.delete(get)
        made = compile()
      }
      return made
    }
    uncompiled.add(get)
    return get
  }

  app.setValidatorCompiler((route: FastifyRouteSchemaDef<FastifySchema>) => {
    const check = once(() => validatorOf(route))
    const validate: FastifyValidationResult = (data: unknown) => {
      const isValid = check()(data)
      validate.errors = check().errors ?? null
      return isValid
    }
    return validate
  })
  app.setSerializerCompiler((route) => {
    const write = once(() => serializerOf(route))
    return (data: unknown) => write()(data)
  })

  return async () => {
    let count = 0
    for (const compile of uncompiled) {
      compile()
      count++
      await turn()
    }
    return count
  }
}
