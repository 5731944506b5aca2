import type { Clock } from '../access/clock.ts'
import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { administer } from '../access/platform.ts'
import { deleteSessionsOf } from '../access/sessions.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { isNotModified, preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import { pageLinks, pageRequest, pagination } from '../http/paging.ts'
import { getAccount, pageOfAccounts } from './accounts.ts'
import { beginChange, changeAccount, ownAccount, requireAuthorityOver } from './administration.ts'
import type { HashingLine } from './hashing-line.ts'
import { hashNewPassword } from './new-password.ts'
import { leastPasswordLength } from './password-policy.ts'
import { insertUser, updatePassword } from './queries.ts'
import { changeUser, createUser, endSessions, getUser, listUsers, setPassword } from './schema.ts'

export interface UserParts {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly hashingLine: HashingLine
}

export function userRoutes(app: App, { config, db, clock, hashingLine }: UserParts): void {
  const { passwordPolicy } = config
  const leastLength = leastPasswordLength[passwordPolicy]
  const passwords = { passwordPolicy, hashingLine }

  app.get('/api/users', { schema: listUsers, config: requires('users.view') }, async (request, reply) => {
    const where = pageRequest(request.query)
    const { items, total } = await pageOfAccounts(db, callerOf(request), request.query, where)
    reply.header('Link', pageLinks('/api/users', request.query, where, total))
    return { success: true, data: items, pagination: pagination(where, total) }
  })

  app.get('/api/users/:id', { schema: getUser, config: requires('users.view') }, async (request, reply) => {
    const { account, tag } = await getAccount(db, callerOf(request), request.params.id)
    if (isNotModified(request, reply, tag)) return
    return { success: true, data: account }
  })

  app.post(
    '/api/users',
    { schema: createUser(leastLength), config: requires('users.manage') },
    async (request, reply) => {
      const caller = callerOf(request)
      const { name, email, password } = request.body
      const passwordHash = await hashNewPassword(passwords, request.ip, password, { name, email })
      const id = await createOnce(db, clock, creationOf(request, ['password']), async (db) => {
        await administer(db, caller, 'users.manage')
        const user = { name, email, passwordHash, mustChangePassword: true }
        return insertUser(db, caller, user, clock().toISOString())
      })
      reply.code(201).header('Location', `/api/users/${id}`)
      return { success: true, data: { id } }
    },
  )

  app.patch(
    '/api/users/:id',
    { schema: changeUser, config: requires('users.manage') },
    async (request, reply) => {
      const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
      const { account, tag } = await write(db, caller, async (db) => {
        const change = await beginChange(db, caller, id, precondition)
        await changeAccount(db, change, request.body, clock().toISOString())
        return getAccount(db, caller, id)
      })
      reply.header('ETag', tag)
      return { success: true, data: account }
    },
  )

  app.put(
    '/api/users/:id/password',
    { schema: setPassword(leastLength), config: requires('users.manage') },
    async (request, reply) => {
      const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
      // Without the current password, a stolen token would take over its own account.
      if (id === caller.userId)
        throw ownAccount(
          'Your own password is changed by PUT /api/auth/password, which asks for the current one.',
        )
      const owner = await getAccount(db, caller, id)
      const hash = await hashNewPassword(passwords, request.ip, request.body.password, owner.account)
      const { account, tag } = await write(db, caller, async (db) => {
        await requireAuthorityOver(db, await beginChange(db, caller, id, precondition))
        await updatePassword(db, caller, id, { hash, mustChange: true }, clock().toISOString())
        await deleteSessionsOf(db, id)
        return getAccount(db, caller, id)
      })
      reply.header('ETag', tag)
      return { success: true, data: account }
    },
  )

  app.delete(
    '/api/users/:id/sessions',
    { schema: endSessions, config: requires('users.manage') },
    async (request) => {
      const [caller, { id }] = [callerOf(request), request.params]
      const ended = await write(db, caller, async (db) => {
        await requireAuthorityOver(db, await beginChange(db, caller, id))
        return deleteSessionsOf(db, id, clock().toISOString())
      })
      const message = ended === 1 ? '1 session is ended' : `${ended} sessions are ended`
      return { success: true, message, data: { ended_sessions: ended } }
    },
  )
}
