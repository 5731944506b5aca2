import type { Db } from '../db/tables.ts'
import { Problem } from '../problems.ts'
import type { Scope } from './scope.ts'
import { minuteOf, type SessionUses } from './session-uses.ts'
import { findSession, type SessionQuery } from './sessions.ts'
import type { VerifiedToken } from './tokens.ts'

/** Who asks, and for what, before the database says whether they may. */
export interface Claim {
  readonly token: VerifiedToken
  readonly session: SessionQuery
  /** When the request came, in milliseconds since the epoch. */
  readonly receivedAt: number
  /** Whether the route is also for an account whose password an administrator set. */
  readonly admitsFirstPassword: boolean
}

/** For which classes an admitted caller holds the two permissions that the route names. */
export interface Admitted {
  readonly scope: Scope
  readonly scopeBesides: Scope
}

const noClasses: readonly number[] = []

/**
 * Lets a caller in, or not, by one statement, and notes that the session is used.
 * @throws Problem token_invalid, password_change_required or permission_denied
 */
export async function admit(
  db: Db,
  uses: SessionUses,
  { token, session, receivedAt, admitsFirstPassword }: Claim,
): Promise<Admitted> {
  const found = await findSession(db, session)
  if (found === undefined || found.userId !== token.userId) throw tokenInvalid()
  uses.note(token, minuteOf(receivedAt))
  if (found.mustChangePassword && !admitsFirstPassword) throw passwordChangeRequired()
  const { permission } = session
  const { scope, scopeBesides = noClasses } = found
  if (permission !== '' && scope === undefined) throw permissionDenied(permission)
  return { scope: scope ?? noClasses, scopeBesides }
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

export function permissionDenied(permission: string): Problem {
  return denied(
    permission,
    `This needs the permission ${permission}, which an administrator grants: PUT /api/users/{id}/roles, or ./registrar.js user grant EMAIL ROLE on the server's machine, with a role that holds it.`,
  )
}

/** The permission is held, but for some classes alone. */
export function permissionDeniedForAll(permission: string): Problem {
  return denied(
    permission,
    `This needs the permission ${permission} for all classes; you hold it for some. An administrator grants it for all: PUT /api/users/{id}/roles with a role that holds it, and class_ids null.`,
  )
}

function denied(permission: string, detail: string): Problem {
  return new Problem('permission_denied', detail, {
    headers: {
      'WWW-Authenticate': `Bearer realm="registrar", error="insufficient_scope", scope="${permission}"`,
    },
  })
}

function passwordChangeRequired(): Problem {
  return new Problem(
    'password_change_required',
    'An administrator set the password of this account; change it first: PUT /api/auth/password.',
  )
}
