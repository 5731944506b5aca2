import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { RequestRouteOptions } from 'fastify/types/request.js'
import type { ProblemCode } from '../problems.ts'
import type { Schema, Static } from './json-schema.ts'

interface TypesOfSchemas extends FastifyTypeProvider {
  validator: this['schema'] extends Schema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends Schema ? Static<this['schema']> : unknown
}

/** The app as the rooms see it: handlers are typed by the schemas of their routes. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypesOfSchemas
>

/** Who may call a route: anyone, or callers with a token. */
export interface Access {
  readonly isOpen: boolean
  /** What others are told. */
  readonly problems: readonly ProblemCode[]
}

/** A body that is a file: its handler reads it piece by piece. */
export interface FileBody {
  /** The media types that it may come with; what it is, its content tells. */
  readonly mediaTypes: readonly string[]
  readonly description: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /** The account that the log names: the token's, admitted or not; of a failed login, the one that was tried. */
    account: number | null
    /** See `routeOf`. */
    route: Readonly<RequestRouteOptions> | null
  }
  interface FastifySchema {
    operationId?: string
    tags?: readonly string[]
    summary?: string
    description?: string
    /** No part of the OpenAPI document. */
    hide?: boolean
    problems?: readonly ProblemCode[]
    file?: FileBody
    /** An empty body is an empty object: no member is required. */
    optionalBody?: true
  }
}
