import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { RequestRouteOptions } from 'fastify/types/request.js'
import type { Soon } from '../db/soon.ts'
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

/** Whether a caller is let in: where the route's own query says so (PostgreSQL), it is undecided until then. */
export interface PendingAdmission {
  readonly isDecided: boolean
  /** What the session is found by, and the permissions that are asked for. */
  readonly session: {
    readonly key: Uint8Array
    readonly now: string
    readonly permission: string
    readonly besides: string
  }
  /** The classes for which the route's permission is held, once it is decided. */
  readonly scope: 'all' | readonly number[]
  /** The same, or, before it is decided, what it was the last time. */
  readonly expectedScope: 'all' | readonly number[]
  /** The classes for which the second permission is held; undefined: none. */
  readonly scopeBesides: 'all' | readonly number[] | undefined
  decide(
    found:
      | {
          readonly userId: number
          readonly mustChangePassword: boolean
          readonly scope: 'all' | readonly number[] | undefined
          readonly scopeBesides: 'all' | readonly number[] | undefined
        }
      | undefined,
  ): void
  check(): Soon<void>
  /** Whether it is decided, and was so before all of the request's body had come. */
  readonly isEarly: boolean
  /** Decides anew. */
  checkAgain(): Promise<void>
}

/** Who calls, with a token that is good. */
export interface AuthenticatedCaller<Authority = unknown> {
  readonly userId: number
  readonly address: string
  readonly requestId: string
  readonly sessionKey: Uint8Array
  readonly admission: PendingAdmission
  /** Reads what the caller may do by now; `write` calls it. @throws Problem token_invalid or permission_denied */
  readonly readmit: (db: Db) => Promise<Authority>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    admitsInQuery?: boolean
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
