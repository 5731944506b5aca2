import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ProblemCode } from '../problems.ts'

/** The app as the rooms see it: handlers are typed by the TypeBox schemas of their routes. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Who may call a route: anyone, any account that is logged in, or those who hold a permission. */
export type Access = 'open' | 'authenticated' | { readonly permission: string }

/** Who calls, once the guard has let them in. */
export interface AuthenticatedCaller {
  readonly userId: number
  readonly address: string
  readonly requestId: string
  readonly sessionKey: Uint8Array
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    caller: AuthenticatedCaller | null
  }
  interface FastifySchema {
    problems?: readonly ProblemCode[]
  }
}
