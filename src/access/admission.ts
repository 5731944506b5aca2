import { andThen, type Soon } from '../db/soon.ts'
import type { Db } from '../db/tables.ts'
import type { PendingAdmission } from '../http/context.ts'
import { Problem } from '../problems.ts'
import type { Scope } from './scope.ts'
import type { SessionUses } from './session-uses.ts'
import { type FoundSession, findSession, type SessionQuery } from './sessions.ts'
import type { VerifiedToken } from './tokens.ts'

/** What the guard knows of a caller before the database is asked. */
export interface Claim {
  readonly token: VerifiedToken
  readonly session: SessionQuery
  /** Whether the route is also for an account whose password an administrator set. */
  readonly admitsFirstPassword: boolean
  /** Whether the request's body is still to come. */
  readonly isEarly: boolean
  /**
   * What was found of late, by account and permission, where statements are made for it. It only spares statements:
   * nothing is shown by it.
   */
  readonly scopes: Map<string, Scope> | undefined
  /** Where it is noted that the session is used. */
  readonly uses: SessionUses
  /** When the request came, in minutes since the epoch. */
  readonly minute: number
}

const maxScopes = 10_000

/**
 * Whether a caller is let in, and for which classes; decided once: by a statement of its own, or by the one that
 * also reads what is asked for.
 */
export class Admission implements PendingAdmission {
  readonly #db: Db
  readonly #claim: Claim
  #scope: Scope | undefined
  #scopeBesides: Scope | undefined
  #isDecided = false

  constructor(db: Db, claim: Claim) {
    this.#db = db
    this.#claim = claim
  }

  get session(): SessionQuery {
    return this.#claim.session
  }

  get isDecided(): boolean {
    return this.#isDecided
  }

  /** For which classes the route's permission is held. @throws before it is decided */
  get scope(): Scope {
    if (this.#scope === undefined) throw new Error('the caller is not admitted yet, or needed no permission')
    return this.#scope
  }

  /** The scope, or, before it is decided, the one that was found the last time: a statement is made for it. */
  get expectedScope(): Scope {
    return this.#scope ?? this.#claim.scopes?.get(this.#scopeKey) ?? 'all'
  }

  get #scopeKey(): string {
    return `${this.#claim.token.userId} ${this.session.permission}`
  }

  /** For which classes the second permission is held; undefined: for none. */
  get scopeBesides(): Scope | undefined {
    return this.#scopeBesides
  }

  /** @throws Problem token_invalid, password_change_required or permission_denied */
  decide(found: FoundSession | undefined): void {
    const { token, session, admitsFirstPassword, uses, minute } = this.#claim
    this.#isDecided = true
    if (found === undefined || found.userId !== token.userId) throw tokenInvalid()
    if (token.notedMinute !== minute) uses.note(token, minute)
    if (found.mustChangePassword && !admitsFirstPassword) throw passwordChangeRequired()
    this.#scope = found.scope
    this.#scopeBesides = found.scopeBesides
    const { permission } = session
    if (permission !== '' && this.#scope === undefined) throw permissionDenied(permission)
    this.#remember(this.#scope)
  }

  #remember(scope: Scope | undefined): void {
    const { scopes } = this.#claim
    if (scopes === undefined) return
    if (scope === 'all' || scope === undefined) {
      if (scopes.size > 0) scopes.delete(this.#scopeKey)
      return
    }
    if (scopes.size >= maxScopes) scopes.clear()
    scopes.set(this.#scopeKey, scope)
  }

  /** Whether it is decided, and was so before all of the request's body had come: what held then may have ended. */
  get isEarly(): boolean {
    return this.#isDecided && this.#claim.isEarly
  }

  /** Decides anew. @throws as `decide` does */
  async checkAgain(): Promise<void> {
    this.decide(await findSession(this.#db, this.session))
  }

  /** Decides by a statement of its own, unless it is decided. @throws as `decide` does */
  check(): Soon<void> {
    if (this.#isDecided) return
    return andThen(findSession(this.#db, this.session), (found) => this.decide(found))
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
