import { type Expression, sql } from 'kysely'
import { type Placeholders, prepare } from '../db/prepare.ts'
import type { Db } from '../db/tables.ts'
import type { PendingAdmission } from '../http/context.ts'
import { Problem } from '../problems.ts'
import { findSession, type SessionQuery, type SessionRow, selectSession } from './sessions.ts'

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

/** Who asks, on a route whose query admits them. */
export interface AskingCaller {
  readonly admission: PendingAdmission
}

/**
 * Prepares a read that also says who asks and whether they may: one statement. `build` selects what is asked
 * for, with an `id` to order by; without the permission, nothing of it is read.
 * @returns a query that throws Problem token_invalid or permission_denied; where nothing is found, all of the
 * one row is null
 */
export function prepareAdmitted<Values extends object, Row extends object>(
  build: (db: Db, values: Placeholders<Values>) => Expression<unknown>,
): (db: Db, caller: AskingCaller, values: Values) => Promise<Row[]> {
  type Found = Row & { caller_id: number; caller_allowed: number | boolean }
  const statement = prepare<Values & SessionQuery, Found>((db, values) => {
    const caller = selectSession(db, values as Placeholders<SessionQuery>)
    const work = build(db, values as Placeholders<Values>)
    const both = sql<Found>`
      select caller.user_id as caller_id, caller.allowed as caller_allowed, work.*
      from ${caller} as caller left join ${work} as work on caller.allowed order by work.id`
    return { compile: () => both.compile(db) }
  })
  return async (db, { admission }, values) => {
    const rows = await statement(db, { ...values, ...admission.session })
    const [first] = rows
    admission.decide(first && { user_id: first.caller_id, allowed: first.caller_allowed })
    return rows
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
