import { authenticated, callerOf } from '../access/guard.ts'
import { write } from '../events/write.ts'
import type { App } from '../http/context.ts'
import { pageAnswer, pageRequest, removalAnswer } from '../http/resource.ts'
import { Problem } from '../problems.ts'
import type { Parts } from '../users/parts.ts'
import { leastPasswordLength } from '../users/password-policy.ts'
import { changePassword } from './own-password.ts'
import * as schema from './own-schema.ts'
import { deleteOtherSessions, deleteOwnSession, pageOfOwnSessions } from './queries.ts'

type OwnParts = Omit<Parts, 'tokens'>

/** What an account does with its own password and sessions. */
export function ownRoutes(app: App, parts: OwnParts): void {
  const { db, clock, sessionUses } = parts
  const policy = parts.config.passwordPolicy
  const config = authenticated()

  app.put(
    '/api/auth/password',
    {
      schema: schema.updateOwnPassword(leastPasswordLength[policy]),
      config: authenticated('even with a first password'),
    },
    async (request) => {
      const { current_password: current, new_password: fresh } = request.body
      const ended_sessions = await changePassword({ ...parts, policy }, callerOf(request), { current, fresh })
      return { success: true, data: { ended_sessions }, message: 'Password changed' }
    },
  )

  app.get('/api/auth/sessions', { schema: schema.listOwnSessions, config }, async (request, reply) => {
    const caller = callerOf(request)
    const where = pageRequest(request.query)
    const { items, total } = await pageOfOwnSessions(db, caller, where, clock().toISOString())
    const shown = items.map(({ key, ...session }) => ({
      ...session,
      last_used_at: sessionUses.notedOf(key) ?? session.last_used_at,
      current: Buffer.compare(key, caller.sessionKey) === 0,
    }))
    return pageAnswer(request, reply, { items: shown, total })
  })

  app.delete('/api/auth/sessions/:id', { schema: schema.deleteOwnSession, config }, async (request) => {
    const [caller, now] = [callerOf(request), clock().toISOString()]
    const wasThere = await write(db, caller, (db) => deleteOwnSession(db, caller, request.params.id, now))
    if (!wasThere) throw new Problem('session_not_found', 'Your account has no session with this id.')
    return removalAnswer('Session ended')
  })

  app.delete('/api/auth/sessions', { schema: schema.deleteOtherSessions, config }, async (request) => {
    const [caller, now] = [callerOf(request), clock().toISOString()]
    const ended_sessions = await write(db, caller, (db) => deleteOtherSessions(db, caller, now))
    return { success: true, data: { ended_sessions }, message: 'Other sessions ended' }
  })
}
