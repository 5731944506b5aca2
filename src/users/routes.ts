import { callerOf, requires } from '../access/guard.ts'
import { createOnce, creationOf } from '../access/idempotency.ts'
import { lockPlatform } from '../access/platform.ts'
import { deleteSessionsOf } from '../access/sessions.ts'
import type { Tx } from '../events/log.ts'
import { preconditionOf } from '../http/conditions.ts'
import type { App } from '../http/context.ts'
import * as answer from '../http/resource.ts'
import { getAccount, pageOfAccounts } from './accounts.ts'
import {
  changeAccount,
  changedAccount,
  ownAccount,
  requireAuthorityOver,
  writeAccount,
} from './administration.ts'
import { proveCurrentPassword } from './current-password.ts'
import { hashNewPassword } from './new-password.ts'
import type { Parts } from './parts.ts'
import { leastPasswordLength } from './password-policy.ts'
import { insertUser, updatePassword } from './queries.ts'
import { removeUser } from './removal.ts'
import * as schema from './schema.ts'

type UserParts = Pick<Parts, 'config' | 'db' | 'clock' | 'hashingLine'>

export function userRoutes(app: App, parts: UserParts): void {
  const { db, clock, hashingLine } = parts
  const { passwordPolicy } = parts.config
  const [view, manage] = [requires('users.view'), requires('users.manage')]
  const leastLength = leastPasswordLength[passwordPolicy]
  const passwords = { passwordPolicy, hashingLine }

  app.get('/api/users', { schema: schema.listUsers, config: view }, (request, reply) =>
    answer.page(request, reply, (where) => pageOfAccounts(db, request.query, where)),
  )

  app.get('/api/users/:id', { schema: schema.getUser, config: view }, async (request, reply) => {
    const { account, tag } = await getAccount(db, request.params.id)
    return answer.record(request, reply, tag, account)
  })

  app.post(
    '/api/users',
    { schema: schema.createUser(leastLength), config: manage },
    async (request, reply) => {
      const { name, email, password } = request.body
      const passwordHash = await hashNewPassword(passwords, request.ip, password, { name, email })
      const user = { name, email, passwordHash, mustChangePassword: true }
      const insert = (tx: Tx) => insertUser(tx, callerOf(request), user, clock().toISOString())
      const id = await createOnce(db, clock, creationOf(request, ['password']), insert, lockPlatform)
      return answer.creation(request, reply, id)
    },
  )

  app.patch('/api/users/:id', { schema: schema.updateUser, config: manage }, async (request, reply) => {
    const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
    const { current_password, ...patch } = request.body
    const isProved = id === caller.userId && patch.email !== undefined && current_password !== undefined
    if (isProved) await proveCurrentPassword(parts, caller, current_password)
    const { account, tag } = await writeAccount(db, caller, id, precondition, async (db, change) => {
      await changeAccount(db, { ...change, isProved }, patch, clock().toISOString())
      return changedAccount(db, change)
    })
    return answer.change(reply, tag, account)
  })

  app.delete('/api/users/:id', { schema: schema.deleteUser, config: manage }, async (request) => {
    const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
    await writeAccount(db, caller, id, precondition, (tx) => removeUser(tx, id, clock().toISOString()))
    return answer.removal('The account is deleted')
  })

  app.put(
    '/api/users/:id/password',
    { schema: schema.updateUserPassword(leastLength), config: manage },
    async (request, reply) => {
      const [caller, precondition, { id }] = [callerOf(request), preconditionOf(request), request.params]
      // Without the current password, a stolen token would take over its own account.
      if (id === caller.userId)
        throw ownAccount(
          'Your own password is changed by PUT /api/auth/password, which asks for the current one.',
        )
      const owner = await getAccount(db, id)
      const hash = await hashNewPassword(passwords, request.ip, request.body.password, owner.account)
      const { account, tag } = await writeAccount(db, caller, id, precondition, async (db, change) => {
        await requireAuthorityOver(db, change)
        await updatePassword(db, id, { hash, mustChange: true }, clock().toISOString())
        await deleteSessionsOf(db, id)
        return changedAccount(db, change)
      })
      return answer.change(reply, tag, account)
    },
  )

  app.delete(
    '/api/users/:id/sessions',
    { schema: schema.deleteUserSessions, config: manage },
    async (request) => {
      const [caller, { id }] = [callerOf(request), request.params]
      const ended = await writeAccount(db, caller, id, undefined, async (db, change) => {
        await requireAuthorityOver(db, change)
        return deleteSessionsOf(db, id, clock().toISOString())
      })
      const message = ended === 1 ? '1 session is ended' : `${ended} sessions are ended`
      return { success: true, message, data: { ended_sessions: ended } }
    },
  )
}
