import type { Db } from '../db/tables.ts'
import type { PendingAdmission } from '../http/context.ts'
import { Problem } from '../problems.ts'
import { findSession, type SessionQuery, type SessionRow } from './sessions.ts'

/**
 * Whether a caller is let in, decided once: by a statement of its own, or by the one that also reads what is
 * asked for.
 */
export class Admission implements PendingAdmission {
  readonly #db: Db
  readonly #userId: number
  readonly session: SessionQuery
  #isDecided = false

  /** @param userId whose token it is, as the token says */
  constructor(db: Db, userId: number, session: SessionQuery) {
    this.#db = db
    this.#userId = userId
    this.session = session
  }

  get isDecided(): boolean {
    return this.#isDecided
  }

  /** @throws Problem token_invalid or permission_denied */
  decide(found: SessionRow | undefined): void {
    this.#isDecided = true
    if (found === undefined || found.user_id !== this.#userId) throw tokenInvalid()
    const { permission } = this.session
    if (permission !== '' && !found.allowed) throw permissionDenied(permission)
  }

  /** Decides by a statement of its own, unless it is decided. @throws as `decide` does */
  async check(): Promise<void> {
    if (this.#isDecided) return
    const [found] = await findSession(this.#db, this.session)
    this.decide(found)
  }
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
