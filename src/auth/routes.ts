import type { FastifyRequest } from 'fastify'
import { cookieWith, endedCookie, isFromOwnPage } from '../access/cookies.ts'
import { tokenInvalid } from '../access/denials.ts'
import { authenticated, callerOf, open } from '../access/guard.ts'
import { checkRegistration, countRegistration } from '../access/registrations.ts'
import { deleteSession } from '../access/sessions.ts'
import type { TokenUse } from '../access/tokens.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import type { App } from '../http/context.ts'
import * as answer from '../http/resource.ts'
import { Problem } from '../problems.ts'
import { claimAdministration, hasAdministrator, insertGrant } from '../roles/queries.ts'
import { textFormats } from '../text/formats.ts'
import { hashNewPassword } from '../users/new-password.ts'
import type { Parts } from '../users/parts.ts'
import { leastPasswordLength } from '../users/password-policy.ts'
import { findUserByEmail, insertUser } from '../users/queries.ts'
import { administratorCommand, isFromThisMachine } from './first-administrator.ts'
import { logIn } from './login.ts'
import { changePassword } from './own-password.ts'
import { deleteOtherSessions, deleteOwnSession, getOwnAccount, pageOfOwnSessions } from './queries.ts'
import * as schema from './schema.ts'

export function authRoutes(app: App, parts: Parts): void {
  const { config, db, clock, hashingLine, sessionUses } = parts
  const { tokenTtlSeconds, passwordPolicy, defaultRole, registrationLimit: perHour } = config
  const leastLength = leastPasswordLength[passwordPolicy]
  const passwords = { passwordPolicy, hashingLine }
  const [always, own] = [authenticated('even with a first password'), authenticated()]

  async function logInBy(request: FastifyRequest, { email, password }: Credentials, use: TokenUse) {
    const client = request.headers['user-agent']
    const attempt = { email: textFormats.email.normalise(email), address: request.ip, client }
    const by = { address: request.ip, requestId: request.id }
    const { token, user } = await logIn({ ...parts, tokenTtlSeconds }, by, attempt, password, use).catch(
      async (error) => {
        if (isGuess(error)) request.account = await accountTried(db, attempt.email)
        throw error
      },
    )
    const { id, name, password_change_required } = user
    return {
      token,
      expires_in: tokenTtlSeconds,
      user: { id, name, email: user.email, password_change_required: password_change_required === 1 },
    }
  }

  app.post('/api/auth/login', { schema: schema.login, config: open() }, async (request) => {
    const { token, ...issued } = await logInBy(request, request.body, 'bearer')
    return { success: true, data: { token, token_type: 'Bearer', ...issued } }
  })

  app.post(
    '/api/auth/cookie',
    {
      schema: schema.createCookieSession,
      config: open(),
      onRequest: async ({ headers }) => {
        if (!isFromOwnPage(headers)) throw crossOrigin()
      },
    },
    async (request, reply) => {
      const { token, ...issued } = await logInBy(request, request.body, 'cookie')
      reply.header('Set-Cookie', cookieWith(token, request.headers))
      return { success: true, data: issued }
    },
  )

  app.get('/api/auth/doors', { schema: schema.getDoors, config: open() }, async (request) => {
    const door = isFromThisMachine(request, config) ? ('here' as const) : ('elsewhere' as const)
    const first_administrator = (await hasAdministrator(db)) ? ('done' as const) : door
    const { registration } = config
    return { success: true, data: { registration, first_administrator, least_password_length: leastLength } }
  })

  app.post(
    '/api/auth/register',
    {
      schema: schema.register(leastLength),
      config: open(),
      onRequest: async (request) => {
        if (config.registration === 'closed') {
          throw new Problem(
            'registration_closed',
            'Registration is closed here; ask an administrator for an account.',
          )
        }
        await checkRegistration(db, { address: request.ip, perHour }, clock())
      },
    },
    async (request, reply) => {
      const { name, email, password } = request.body
      const by = { address: request.ip, requestId: request.id }
      const attempt = { address: request.ip, perHour }
      const count = () => write(db, by, (db) => countRegistration(db, attempt, clock()))
      const passwordHash = await hashNewPassword(passwords, request.ip, password, { name, email }, count)
      const atMachine = isFromThisMachine(request, config)
      const { userId, isFirst } = await write(db, by, async (db) => {
        const now = clock().toISOString()
        const userId = await insertUser(db, by, { name, email, passwordHash }, now)
        const isFirst = atMachine && (await claimAdministration(db, now))
        const role = isFirst ? 'administrator' : defaultRole
        if (role !== 'none') await insertGrant(db, userId, role, now)
        return { userId, isFirst }
      })
      const line = { request_id: request.id }
      if (isFirst) app.log.info(line, `account ${userId} is the first administrator`)
      if (!atMachine && !(await hasAdministrator(db))) {
        app.log.warn(line, `this platform has no administrator; on its machine, run: ${administratorCommand}`)
      }
      reply.code(201)
      return { success: true, data: { user_id: userId } }
    },
  )

  app.post('/api/auth/logout', { schema: schema.logout, config: always }, async (request, reply) => {
    const caller = callerOf(request)
    const wasThere = await write(db, caller, (db) => deleteSession(db, caller.sessionKey))
    if (!wasThere) throw tokenInvalid()
    if (request.headers.authorization === undefined) reply.header('Set-Cookie', endedCookie(request.headers))
    return { success: true, message: 'Logged out' }
  })

  app.get('/api/auth/me', { schema: schema.getOwnAccount, config: always }, async (request) => {
    return { success: true, data: await getOwnAccount(db, callerOf(request)) }
  })

  app.put(
    '/api/auth/password',
    { schema: schema.updateOwnPassword(leastLength), config: always },
    async (request) => {
      const change = { current: request.body.current_password, fresh: request.body.new_password }
      const own = { ...parts, policy: passwordPolicy }
      const ended_sessions = await changePassword(own, callerOf(request), change)
      return { success: true, data: { ended_sessions }, message: 'Password changed' }
    },
  )

  app.get('/api/auth/sessions', { schema: schema.listOwnSessions, config: own }, async (request, reply) => {
    const caller = callerOf(request)
    return answer.page(request, reply, async (where) => {
      const { items, total } = await pageOfOwnSessions(db, caller, where, clock().toISOString())
      const shown = items.map(({ key, ...session }) => ({
        ...session,
        last_used_at: sessionUses.notedOf(key) ?? session.last_used_at,
        current: Buffer.compare(key, caller.sessionKey) === 0,
      }))
      return { items: shown, total }
    })
  })

  app.delete('/api/auth/sessions/:id', { schema: schema.deleteOwnSession, config: own }, async (request) => {
    const [caller, now] = [callerOf(request), clock().toISOString()]
    const wasThere = await write(db, caller, (db) => deleteOwnSession(db, caller, request.params.id, now))
    if (!wasThere) throw new Problem('session_not_found', 'Your account has no session with this id.')
    return answer.removal('Session ended')
  })

  app.delete('/api/auth/sessions', { schema: schema.deleteOtherSessions, config: own }, async (request) => {
    const [caller, now] = [callerOf(request), clock().toISOString()]
    const ended_sessions = await write(db, caller, (db) => deleteOtherSessions(db, caller, now))
    return { success: true, data: { ended_sessions }, message: 'Other sessions ended' }
  })
}

type Credentials = { readonly email: string; readonly password: string }

/** A page of elsewhere could log its visitor in to an account of its own. */
function crossOrigin(): Problem {
  return new Problem(
    'cross_origin',
    'Only pages of this server log in by cookie; send Sec-Fetch-Site: same-origin, or an Origin whose host is that of Host. Programs use POST /api/auth/login.',
  )
}

/** Whether a failed login may be a guess. */
function isGuess(error: unknown): boolean {
  return (
    error instanceof Problem && (error.code === 'invalid_credentials' || error.code === 'too_many_attempts')
  )
}

/** For the log only, after a failed login. The same statement runs whether or not the account exists. */
async function accountTried(db: Db, email: string): Promise<number | null> {
  const user = await findUserByEmail(db, email).catch(() => undefined)
  return user?.id ?? null
}
