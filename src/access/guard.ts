import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/tables.ts'
import type { Access, AuthenticatedCaller } from '../http/context.ts'
import { Problem } from '../problems.ts'
import type { Clock } from './clock.ts'
import type { Permission } from './permissions.ts'
import { findSession } from './sessions.ts'
import type { Tokens } from './tokens.ts'

/** The route is for accounts that hold this permission. */
export function requires(permission: Permission): { access: Access } {
  return { access: { permission } }
}

/** The route is for every account that is logged in. */
export function authenticated(): { access: Access } {
  return { access: 'authenticated' }
}

/** The route is for everyone; an `Authorization` header is not looked at. */
export function open(): { access: Access } {
  return { access: 'open' }
}

export interface GuardParts {
  readonly db: Db
  readonly tokens: Tokens
  readonly clock: Clock
}

/**
 * Checks every request by what its route declares, before its body is read. A route that declares nothing
 * keeps the server from starting.
 */
export function guardRoutes(app: FastifyInstance, { db, tokens, clock }: GuardParts): void {
  const undeclared: string[] = []
  app.decorateRequest('caller', null)
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) undeclared.push(`${method} ${url}`)
  })
  app.addHook('onReady', async () => {
    if (undeclared.length > 0) throw new Error(`These routes declare no guard: ${undeclared.join(', ')}`)
  })

  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (access === 'open' || access === undefined) return
    const token = bearerToken(request)
    const verified = await tokens.verify(token)
    if (verified === undefined) throw tokenInvalid()
    const permission = access === 'authenticated' ? '' : access.permission
    const now = clock().toISOString()
    const [session] = await findSession(db, { key: verified.sessionKey, now, permission })
    if (session === undefined || session.user_id !== verified.userId) throw tokenInvalid()
    if (permission !== '' && !session.allowed) throw permissionDenied(permission)
    const { userId, sessionKey } = verified
    request.caller = { userId, sessionKey, address: request.ip, requestId: request.id }
  })
}

/** The caller of a guarded route. */
export function callerOf(request: FastifyRequest): AuthenticatedCaller {
  if (request.caller === null) throw new Error('this route is open, and has no caller')
  return request.caller
}

/** RFC 6750 §2.1; the scheme's case does not matter (RFC 9110 §11.1). */
function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization
  const match = header === undefined ? null : /^bearer +(\S+)$/i.exec(header)
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

/** One text for forged, expired and logged out (RFC 6750 §3.1). */
export function tokenInvalid(): Problem {
  return new Problem('token_invalid', 'The token is not valid, or no longer; log in again.', {
    headers: {
      'WWW-Authenticate':
        'Bearer realm="registrar", error="invalid_token", error_description="The token is not valid"',
    },
  })
}

function permissionDenied(permission: string): Problem {
  return new Problem(
    'permission_denied',
    `This needs the permission ${permission}, which an administrator grants: ./registrar.js user grant EMAIL ROLE, run on the server's machine, with a role that holds it.`,
    {
      headers: {
        'WWW-Authenticate': `Bearer realm="registrar", error="insufficient_scope", scope="${permission}"`,
      },
    },
  )
}
