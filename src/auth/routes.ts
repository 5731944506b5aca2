import { tokenInvalid } from '../access/admission.ts'
import type { Clock } from '../access/clock.ts'
import { authenticated, callerOf, open } from '../access/guard.ts'
import type { SessionUses } from '../access/session-uses.ts'
import { deleteSession } from '../access/sessions.ts'
import { checkRegistrations, countRegistration } from '../access/throttle.ts'
import type { Tokens } from '../access/tokens.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import type { App } from '../http/context.ts'
import { Problem } from '../problems.ts'
import { claimAdministration, hasAdministrator, insertGrant } from '../roles/queries.ts'
import { textFormats } from '../text/formats.ts'
import type { HashingLine } from '../users/hashing-line.ts'
import { hashNewPassword } from '../users/new-password.ts'
import { leastPasswordLength } from '../users/password-policy.ts'
import { insertUser } from '../users/queries.ts'
import { administratorCommand, isFromThisMachine } from './first-administrator.ts'
import { logIn } from './login.ts'
import { ownRoutes } from './own-routes.ts'
import { getOwnAccount } from './queries.ts'
import { login, logout, me, register } from './schema.ts'

export interface AuthParts {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly tokens: Tokens
  readonly hashingLine: HashingLine
  readonly sessionUses: SessionUses
}

export function authRoutes(app: App, parts: AuthParts): void {
  const { config, db, clock, hashingLine } = parts
  const { tokenTtlSeconds, passwordPolicy, defaultRole } = config
  const passwords = { passwordPolicy, hashingLine }

  app.post('/api/auth/login', { schema: login, config: open() }, async (request) => {
    const { email, password } = request.body
    const client = request.headers['user-agent']
    const attempt = { email: textFormats.email.normalise(email), address: request.ip, client }
    const by = { address: request.ip, requestId: request.id }
    const { token, user } = await logIn({ ...parts, tokenTtlSeconds }, by, attempt, password)
    const { id, name, password_change_required } = user
    return {
      success: true,
      data: {
        token,
        token_type: 'Bearer',
        expires_in: tokenTtlSeconds,
        user: {
          id,
          name,
          email: user.email,
          password_change_required: password_change_required === 1,
        },
      },
    }
  })

  app.post(
    '/api/auth/register',
    {
      schema: register(leastPasswordLength[passwordPolicy]),
      config: open(),
      onRequest: async (request) => {
        if (config.registration === 'closed') {
          throw new Problem(
            'registration_closed',
            'Registration is closed here; ask an administrator for an account.',
          )
        }
        await checkRegistrations(db, request.ip, clock())
      },
    },
    async (request, reply) => {
      const { name, email, password } = request.body
      const passwordHash = await hashNewPassword(passwords, request.ip, password, { name, email })
      const by = { address: request.ip, requestId: request.id }
      const atMachine = isFromThisMachine(request, config)
      const { userId, isFirst } = await write(db, by, async (db) => {
        const now = clock().toISOString()
        await countRegistration(db, request.ip, clock())
        const userId = await insertUser(db, by, { name, email, passwordHash }, now)
        const isFirst = atMachine && (await claimAdministration(db, now))
        const role = isFirst ? 'administrator' : defaultRole
        if (role !== 'none') await insertGrant(db, by, userId, role, now)
        return { userId, isFirst }
      })
      if (isFirst) request.log.info(`account ${userId} is the first administrator`)
      if (!atMachine && !(await hasAdministrator(db))) {
        request.log.warn(`this platform has no administrator; on its machine, run: ${administratorCommand}`)
      }
      reply.code(201)
      return { success: true, data: { user_id: userId } }
    },
  )

  const always = authenticated('even with a first password')
  app.post('/api/auth/logout', { schema: logout, config: always }, async (request) => {
    const caller = callerOf(request)
    const wasThere = await write(db, caller, (db) => deleteSession(db, caller.sessionKey))
    if (!wasThere) throw tokenInvalid()
    return { success: true, message: 'Logged out' }
  })

  app.get('/api/auth/me', { schema: me, config: always }, async (request) => {
    return { success: true, data: await getOwnAccount(db, callerOf(request)) }
  })

  ownRoutes(app, parts)
}
