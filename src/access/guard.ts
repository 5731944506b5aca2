import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/tables.ts'
import type { Access } from '../http/context.ts'
import { routeOf } from '../http/requests.ts'
import { Problem, type ProblemCode } from '../problems.ts'
import { type Caller, readmit } from './authority.ts'
import type { Clock } from './clock.ts'
import { cookieToken } from './cookies.ts'
import { passwordChangeRequired, tokenInvalid } from './denials.ts'
import type { Permission } from './permissions.ts'
import { type Required, requireAccess } from './scope.ts'
import { SessionUses, writeEveryMinute } from './session-uses.ts'
import { findSession, type SessionQuery } from './sessions.ts'
import type { Tokens, TokenUse, VerifiedToken } from './tokens.ts'

/** Who may call a route. */
interface Guard extends Access, Required {
  /** A second permission, which decides how much is shown. */
  readonly besides: Permission | ''
  /** Whether the route is also for an account whose password an administrator set. */
  readonly admitsFirstPassword: boolean
}

/** What a route declares of who may call it. */
export interface Declared {
  readonly access: Guard
}

const ofToken: readonly ProblemCode[] = ['token_missing', 'token_invalid']

const anyone: Guard = {
  isOpen: true,
  problems: [],
  permission: '',
  besides: '',
  forAllClasses: false,
  admitsFirstPassword: false,
}

/**
 * The route is for accounts that hold this permission.
 * @param more.besides a second permission, which decides how much is shown
 * @param more.forAllClasses whether it is to be held for all classes
 * @param more.instead a permission that will do in its place; it leaves no room for one besides
 */
export function requires(
  permission: Permission,
  more: {
    readonly besides?: Permission
    readonly forAllClasses?: boolean
    readonly instead?: Permission
  } = {},
): Declared {
  const problems = [...ofToken, 'password_change_required', 'permission_denied'] as const
  return { access: { ...anyone, isOpen: false, problems, permission, ...more } }
}

/**
 * The route is for every account that is logged in.
 * @param when 'even with a first password': also for one whose password an administrator set
 */
export function authenticated(when?: 'even with a first password'): Declared {
  const admitsFirstPassword = when !== undefined
  const problems = admitsFirstPassword ? ofToken : [...ofToken, 'password_change_required' as const]
  return { access: { ...anyone, isOpen: false, problems, admitsFirstPassword } }
}

/** The route is for everyone; an `Authorization` header is not looked at. */
export function open(): Declared {
  return { access: anyone }
}

interface GuardParts {
  readonly db: Db
  readonly tokens: Tokens
  readonly clock: Clock
}

/** Who asks, and for what, before the database says whether they may. */
interface Claim {
  readonly token: VerifiedToken
  readonly session: SessionQuery
  /** When the request came, in milliseconds since the epoch. */
  readonly receivedAt: number
}

const noClasses: readonly number[] = []

/**
 * Checks every request by what its route declares, before its body is read. A route that declares nothing
 * keeps the server from starting. @returns when the sessions of those who were admitted were last used
 */
export function guardRoutes(app: FastifyInstance, { db, tokens, clock }: GuardParts): SessionUses {
  const undeclared: string[] = []
  app.decorateRequest('caller')
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) undeclared.push(`${method} ${url}`)
  })
  app.addHook('onReady', async () => {
    if (undeclared.length > 0) throw new Error(`These routes declare no guard: ${undeclared.join(', ')}`)
  })

  const uses = new SessionUses(db)
  writeEveryMinute(app, uses)

  /** The claims of requests whose bodies are still to come. */
  const early = new WeakMap<FastifyRequest, Claim>()

  async function claimOf(request: FastifyRequest, guard: Guard): Promise<Claim> {
    const { permission, instead } = guard
    const besides = instead ?? guard.besides
    const receivedAt = clock().getTime()
    const { token: presented, use } = presentedBy(request)
    const token = await tokens.verify(presented, receivedAt, use)
    if (token === undefined) throw tokenInvalid()
    request.account = token.userId
    const now = new Date(receivedAt).toISOString()
    return { token, session: { key: token.sessionKey, now, permission, besides }, receivedAt }
  }

  /**
   * Admits a caller, or not, by one statement, and notes that the session is used.
   * @throws Problem token_invalid, password_change_required or permission_denied
   */
  async function admit(request: FastifyRequest, { token, session, receivedAt }: Claim): Promise<void> {
    const guard = guardOf(request)!
    const found = await findSession(db, session)
    if (found === undefined || found.userId !== token.userId) throw tokenInvalid()
    const minute = Math.floor(receivedAt / 60_000)
    if (token.notedMinute !== minute) uses.note(token, minute)
    if (found.mustChangePassword && !guard.admitsFirstPassword) throw passwordChangeRequired()
    requireAccess(guard, found.scope, found.scopeBesides)
    const caller: Caller = {
      userId: token.userId,
      sessionKey: token.sessionKey,
      scope: found.scope ?? noClasses,
      scopeBesides: found.scopeBesides ?? noClasses,
      address: request.ip,
      requestId: request.id,
      readmit: (db, now) => readmit(db, token.sessionKey, guard, now),
    }
    request.setDecorator('caller', caller)
  }

  app.addHook('onRequest', async (request) => {
    const guard = guardOf(request)
    if (guard === undefined) return
    const claim = await claimOf(request, guard)
    if (request.raw.complete === false) early.set(request, claim)
    await admit(request, claim)
  })

  // What a caller may do can end while the body comes.
  app.addHook('preValidation', (request, _reply, done) => {
    const claim = early.get(request)
    if (claim === undefined) return done()
    admit(request, claim).then(() => done(), done)
  })
  return uses
}

/** @returns undefined where the route is open */
function guardOf(request: FastifyRequest): Guard | undefined {
  const guard = routeOf(request).config.access as Guard | undefined
  return guard?.isOpen === false ? guard : undefined
}

/** The caller of a guarded route. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = request.getDecorator<Caller | undefined>('caller')
  if (caller === undefined) throw new Error('this route is open, and has no caller')
  return caller
}

/** What a caller presents: an `Authorization`, else the cookie of a page of this server. @throws Problem token_missing */
function presentedBy({ headers }: FastifyRequest): { readonly token: string; readonly use: TokenUse } {
  const { authorization } = headers
  const cookie = authorization === undefined ? cookieToken(headers) : undefined
  if (cookie !== undefined) return { token: cookie, use: 'cookie' }
  return { token: bearerToken(authorization ?? ''), use: 'bearer' }
}

/** RFC 6750 §2.1; the scheme's case does not matter (RFC 9110 §11.1). */
function bearerToken(authorization: string): string {
  const isBearer = authorization.slice(0, 7).toLowerCase() === 'bearer '
  const token = authorization.slice(7).trimStart()
  if (isBearer && token !== '' && !token.includes(' ')) return token
  const detail = 'Send the header Authorization: Bearer <token>; POST /api/auth/login gives a token.'
  throw new Problem('token_missing', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="registrar"' } })
}
