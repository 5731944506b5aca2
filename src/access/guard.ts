import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { engineOf } from '../db/engine.ts'
import type { Db } from '../db/tables.ts'
import type { Access } from '../http/context.ts'
import { instantWriter } from '../http/instants.ts'
import { routeOf } from '../http/requests.ts'
import { Problem } from '../problems.ts'
import { Admission, tokenInvalid } from './admission.ts'
import { type Caller, readmit } from './authority.ts'
import type { Clock } from './clock.ts'
import type { Permission } from './permissions.ts'
import type { Scope } from './scope.ts'
import { minuteOf, SessionUses, writeEveryMinute } from './session-uses.ts'
import type { Tokens, VerifiedToken } from './tokens.ts'

/** What a route declares of who may call it. */
export interface Declared {
  readonly access: Access
  readonly admitsInQuery?: boolean
  readonly besides?: Permission
  readonly admitsFirstPassword?: boolean
}

/**
 * The route is for accounts that hold this permission.
 * @param where 'in its query': the statement that reads what is asked for also admits the caller; on SQLite one before
 * it, once the request is validated
 * @param besides a second permission, which decides how much is shown
 */
export function requires(permission: Permission, where?: 'in its query', besides?: Permission): Declared {
  return {
    access: { permission },
    admitsInQuery: where !== undefined,
    ...(besides !== undefined && { besides }),
  }
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
  const scopes = engineOf(db) === 'postgres' ? new Map<string, Scope>() : undefined
  const uses = new SessionUses(db)
  writeEveryMinute(app, uses)

  /** @param now when the request came, in milliseconds since the epoch */
  function asCaller(request: FastifyRequest, verified: VerifiedToken | undefined, now: number): Caller {
    if (verified === undefined) throw tokenInvalid()
    const { access, besides = '', admitsFirstPassword = false } = routeOf(request).config
    const permission = typeof access === 'object' ? (access.permission as Permission) : ''
    const { userId, sessionKey } = verified
    request.account = userId
    const session = { key: sessionKey, now: textOf(now), permission, besides }
    const minute = minuteOf(now)
    const isEarly = request.raw.complete === false
    const claim = { token: verified, session, admitsFirstPassword, isEarly, scopes, uses, minute }
    const admission = new Admission(db, claim)
    return {
      userId,
      sessionKey,
      admission,
      address: request.ip,
      requestId: request.id,
      readmit: (db) => readmit(db, sessionKey, permission),
    }
  }

  async function admit(request: FastifyRequest, token: string, now: number, inQuery = false): Promise<void> {
    const caller = asCaller(request, await tokens.verify(token, now), now)
    if (!inQuery) await caller.admission.check()
    request.caller = caller
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const { access, admitsInQuery } = routeOf(request).config
    if (access === 'open' || access === undefined) return done()
    const now = clock().getTime()
    const recalled = admitsInQuery ? tokens.recall(request.headers.authorization ?? '', now) : null
    if (recalled === null)
      return void admit(request, bearerToken(request), now, admitsInQuery).then(() => done(), done)
    request.caller = asCaller(request, recalled, now) // with nothing to wait for
    done()
  })

  app.addHook('preValidation', (request, _reply, done) => {
    const { caller } = request
    if (caller === null || !caller.admission.isEarly) return done()
    caller.admission.checkAgain().then(() => done(), done)
  })
  if (engineOf(db) === 'sqlite') app.addHook('preHandler', decideNow)

  app.addHook('onSend', (request, reply, _payload, done) => {
    const isUndecided = request.caller !== null && !request.caller.admission.isDecided
    if (isUndecided && reply.statusCode < 400) done(new Error('an answer before its caller was admitted'))
    else done()
  })
  return uses
}

/**
 * SQLite: whoever is not decided on yet, by a statement of its own: it costs no round trip, and less than a join. All
 * that came together are admitted before any of them is read for (`http/stages.ts`).
 */
function decideNow(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  let problem: Error | undefined
  try {
    request.caller?.admission.check()
  } catch (error) {
    problem = error as Error
  }
  done(problem)
}

/** The caller of a guarded route. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('this route is open, and has no caller')
  return request.caller as Caller
}

/** RFC 6750 §2.1; the scheme's case does not matter (RFC 9110 §11.1). */
function bearerToken(request: FastifyRequest): string {
  const { authorization: header = '' } = request.headers
  const match = /^bearer +(\S+)$/i.exec(header)
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
