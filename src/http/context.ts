import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { RequestRouteOptions } from 'fastify/types/request.js'
import type { Db } from '../db/tables.ts'
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

/** Who may call a route: anyone, any account that is logged in, or those who hold a permission. */
export type Access = 'open' | 'authenticated' | { readonly permission: string }

/** Who calls, with a token that is good. */
export interface AuthenticatedCaller<Authority = unknown> {
  readonly userId: number
  readonly sessionKey: Uint8Array
  /** The classes for which the route's permission is held; none where the route names none. */
  readonly scope: 'all' | readonly number[]
  /** The same of the route's second permission. */
  readonly scopeBesides: 'all' | readonly number[]
  readonly address: string
  readonly requestId: string
  /** Reads what the caller may do by now; `write` calls it. @throws Problem token_invalid or permission_denied */
  readonly readmit: (db: Db) => Promise<Authority>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    besides?: string
    admitsFirstPassword?: boolean
  }
  interface FastifyRequest {
    caller: AuthenticatedCaller | null
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
  }
}
