import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/tables.ts'
import type { Access } from '../http/context.ts'
import { instantWriter } from '../http/instants.ts'
import { routeOf } from '../http/requests.ts'
import { Problem } from '../problems.ts'
import { admit, type Claim, tokenInvalid } from './admission.ts'
import { type Caller, readmit } from './authority.ts'
import type { Clock } from './clock.ts'
import type { Permission } from './permissions.ts'
import { SessionUses, writeEveryMinute } from './session-uses.ts'
import type { Tokens } from './tokens.ts'

/** What a route declares of who may call it. */
export interface Declared {
  readonly access: Access
  readonly besides?: Permission
  readonly admitsFirstPassword?: boolean
}

/**
 * The route is for accounts that hold this permission.
 * @param options.besides a second permission, which decides how much is shown
 */
export function requires(permission: Permission, options: { readonly besides?: Permission } = {}): Declared {
  return { access: { permission }, ...options }
}

/**
 * The route is for every account that is logged in.
 * @param when 'even with a first password': also for one whose password an administrator set
 */
export function authenticated(when?: 'even with a first password'): Declared {
  return { access: 'authenticated', admitsFirstPassword: when !== undefined }
}

/** The route is for everyone; an `Authorization` header is not looked at. */
export function open(): Declared {
  return { access: 'open' }
}

export interface GuardParts {
  readonly db: Db
  readonly tokens: Tokens
  readonly clock: Clock
}

/**
 * Checks every request by what its route declares, before its body is read. A route that declares nothing
 * keeps the server from starting. @returns when the sessions of those who were admitted were last used
 */
export function guardRoutes(app: FastifyInstance, { db, tokens, clock }: GuardParts): SessionUses {
  const undeclared: string[] = []
  app.decorateRequest('caller', null)
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) undeclared.push(`${method} ${url}`)
  })
  app.addHook('onReady', async () => {
    if (undeclared.length > 0) throw new Error(`These routes declare no guard: ${undeclared.join(', ')}`)
  })

  const textOf = instantWriter()
  const uses = new SessionUses(db)
  writeEveryMinute(app, uses)

  /** The claims of requests whose bodies are still to come. */
  const early = new WeakMap<FastifyRequest, Claim>()

  async function claimOf(request: FastifyRequest): Promise<Claim> {
    const now = clock().getTime()
    const { authorization = '' } = request.headers
    const token = tokens.recall(authorization, now) ?? (await tokens.verify(bearerToken(authorization), now))
    if (token === undefined) throw tokenInvalid()
    request.account = token.userId
    const { access, besides = '', admitsFirstPassword = false } = routeOf(request).config
    const permission = typeof access === 'object' ? access.permission : ''
    const session = { key: token.sessionKey, now: textOf(now), permission, besides }
    return { token, session, receivedAt: now, admitsFirstPassword }
  }

  async function letIn(request: FastifyRequest, claim: Claim): Promise<void> {
    const { token, session } = claim
    const { scope, scopeBesides } = await admit(db, uses, claim)
    const caller: Caller = {
      userId: token.userId,
      sessionKey: token.sessionKey,
      scope,
      scopeBesides,
      address: request.ip,
      requestId: request.id,
      readmit: (db) => readmit(db, token.sessionKey, session.permission as Permission | ''),
    }
    request.caller = caller
  }

  app.addHook('onRequest', async (request) => {
    const { access } = routeOf(request).config
    if (access === 'open' || access === undefined) return
    const claim = await claimOf(request)
    if (request.raw.complete === false) early.set(request, claim)
    await letIn(request, claim)
  })

  // What a caller may do can end while the body comes.
  app.addHook('preValidation', (request, _reply, done) => {
    const claim = early.get(request)
    if (claim === undefined) return done()
    letIn(request, claim).then(() => done(), done)
  })
  return uses
}

/** The caller of a guarded route. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('this route is open, and has no caller')
  return request.caller as Caller
}

/** RFC 6750 §2.1; the scheme's case does not matter (RFC 9110 §11.1). */
function bearerToken(authorization: string): string {
  const match = /^bearer +(\S+)$/i.exec(authorization)
  if (match === null) {
    throw new Problem(
      'token_missing',
      'Send the header Authorization: Bearer <token>; POST /api/auth/login gives a token.',
      {
        headers: { 'WWW-Authenticate': 'Bearer realm="registrar"' },
      },
    )
  }
  return match[1]!
}
