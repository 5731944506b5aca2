import { createSecretKey, randomUUID } from 'node:crypto'
import { Algorithm, hash, verify } from '@node-rs/argon2'
import jwt from 'jsonwebtoken'
import { Refusal } from './refusal.js'

/** How long a token is good, in seconds. */
export const tokenTtlSeconds = 12 * 3600

const argon2 = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What a wrong address is compared with, so that it takes as long as a wrong password. */
const nobody = await hash(randomUUID(), argon2)

/** On libuv's threads, as the library does it. */
export const hashPassword = (password) => hash(password, argon2)

/** @returns whether the password is the user's; false for no user */
export async function isPasswordOf(user, password) {
  const matches = await verify(user?.password_hash ?? nobody, password)
  return user !== undefined && matches
}

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Issues and checks tokens, each of which stands for a row in `sessions`. */
export function createAuth(statements, secret) {
  const key = createSecretKey(Buffer.from(secret))

  /** The caller of a request, and whether they hold the permission. */
  function identify(request, permission) {
    const [scheme, token] = request.headers.authorization?.split(' ') ?? []
    if (scheme?.toLowerCase() !== 'bearer' || !token) throw new Refusal(401, 'token_missing')
    let claims
    try {
      claims = jwt.verify(token, key, { algorithms: ['HS256'] })
    } catch {
      throw new Refusal(401, 'token_invalid')
    }
    const caller = statements.session.get(permission, claims.jti, nowSeconds())
    if (caller === undefined || String(caller.id) !== claims.sub) throw new Refusal(401, 'token_invalid')
    return caller
  }

  return {
    /** @returns a token for a new session */
    issueToken(userId) {
      const jwtid = randomUUID()
      statements.insertSession.run(jwtid, userId, nowSeconds() + tokenTtlSeconds)
      return jwt.sign({}, key, {
        algorithm: 'HS256',
        subject: String(userId),
        jwtid,
        expiresIn: tokenTtlSeconds,
      })
    },
    endSession: (caller) => statements.deleteSession.run(caller.session_id),
    removeExpiredSessions: () => statements.deleteExpiredSessions.run(nowSeconds()),

    /** Middleware: the route is for everyone who is logged in. */
    authenticated(request, _response, next) {
      request.user = identify(request, '')
      next()
    },
    /** Middleware: the route is for accounts that hold this permission. */
    requires: (permission) => (request, _response, next) => {
      request.user = identify(request, permission)
      if (!request.user.allowed) throw new Refusal(403, 'permission_denied')
      next()
    },
  }
}
