import { hash, randomUUID } from 'node:crypto'
import type { JWTHeaderParameters } from 'jose'
import { JOSEError, JWSInvalid } from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import type { Db } from '../db/tables.ts'
import { findSigningKeys, keyFromSecret, type SigningKey } from './signing-keys.ts'

const issuer = 'registrar'
/** What a token is for: the header `Authorization`, or the console's cookie. One is not good for the other. */
export type TokenUse = 'bearer' | 'cookie'

const audiences: Readonly<Record<TokenUse, string>> = { bearer: 'registrar-api', cookie: 'registrar-console' }

/** Tokens whose signature was verified: at about 700 bytes each, some 7 MB. */
const maxRemembered = 10_000

/**
 * The end of a token by which one is remembered, 72 bits of its signature: to hash all of it would cost more, and a
 * text of 13 characters or more that is cut out of another is no copy, but a view, which is slow to hash.
 */
const endLength = 12

const uses = Object.keys(audiences) as TokenUse[]

/** How far the clocks of instances may differ, and a clock be set back, before a token seems to come from the future. */
const clockSkewSeconds = 60

/** What a token says once its signature holds: whose it is, until when, and which session it belongs to. */
export interface VerifiedToken {
  readonly userId: number
  readonly sessionKey: Uint8Array
  readonly use: TokenUse
  /** Seconds since the epoch. */
  readonly issuedAt: number
  /** Seconds since the epoch. */
  readonly expiresAt: number
  readonly kid: string
  /** The last minute for which its session was noted as used, in minutes since the epoch; see `SessionUses`. */
  notedMinute: number
}

/** Issues and verifies the API's tokens: JWT (RFC 7519), HS256 only (RFC 8725 §3.1). */
export interface Tokens {
  issue(userId: number, issuedAt: Date, use?: TokenUse): Promise<{ token: string; sessionKey: Uint8Array }>
  /**
   * @param now milliseconds since the epoch
   * @returns undefined for whatever is not exactly a token of ours, for this use, that is good then
   */
  verify(token: string, now: number, use?: TokenUse): Promise<VerifiedToken | undefined>
}

interface TokenSettings {
  readonly db: Db
  readonly ttlSeconds: number
  readonly secret: string | undefined
}

/** The key of a session: SHA-256 of the token's `jti`, so that the database holds nothing to present. */
function sessionKeyOf(jti: string): Uint8Array {
  return hash('sha256', jti, 'buffer')
}

export function createTokens({ db, ttlSeconds, secret }: TokenSettings): Tokens {
  const remembered = new Map<string, { readonly token: string; readonly verified: VerifiedToken }>()
  const fixedKey = secret === undefined ? undefined : keyFromSecret(secret)
  let keys = new Map<string, SigningKey>()

  /** Reads the keys anew. What a key that is gone has signed is forgotten with it. */
  async function readKeys(): Promise<SigningKey> {
    const found = fixedKey ? [fixedKey] : await findSigningKeys(db)
    const [newest] = found
    if (newest === undefined) throw new Error('there is no signing key')
    if (found.length < keys.size || found.some(({ kid }) => !keys.has(kid))) {
      keys = new Map(found.map((key) => [key.kid, key]))
      for (const [end, { verified }] of remembered) if (!keys.has(verified.kid)) remembered.delete(end)
    }
    return newest
  }

  async function findKey(kid: string): Promise<SigningKey | undefined> {
    if (!keys.has(kid)) await readKeys()
    return keys.get(kid)
  }

  return {
    async issue(userId, issuedAt, use = 'bearer') {
      const key = await readKeys()
      const jti = randomUUID()
      const iat = Math.floor(issuedAt.getTime() / 1000)
      const token = await new SignJWT({ jti })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.kid })
        .setIssuer(issuer)
        .setAudience(audiences[use])
        .setSubject(String(userId))
        .setIssuedAt(iat)
        .setExpirationTime(iat + ttlSeconds)
        .sign(key.secret)
      return { token, sessionKey: sessionKeyOf(jti) }
    },

    async verify(token, now, use = 'bearer') {
      const isGood = (one: VerifiedToken) => one.use === use && isCurrent(one, now)
      const known = remembered.get(token.slice(-endLength))
      if (known?.token === token) return isGood(known.verified) ? known.verified : undefined
      const verified = await verifySignature(token, findKey, now)
      if (verified === undefined || !isGood(verified)) return undefined
      if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!)
      remembered.set(token.slice(-endLength), { token, verified })
      return verified
    },
  }
}

async function verifySignature(
  token: string,
  findKey: (kid: string) => Promise<SigningKey | undefined>,
  now: number,
): Promise<VerifiedToken | undefined> {
  if (!isCanonical(token)) return undefined
  let kid = ''
  try {
    const getKey = async (header: JWTHeaderParameters) => {
      // Only the members that we write: no jwk, jku, x5u, crit or zip is ever looked at (RFC 8725 §3.10).
      if (Object.keys(header).sort().join() !== 'alg,kid,typ' || typeof header.kid !== 'string')
        throw new JWSInvalid()
      kid = header.kid
      const key = await findKey(kid)
      if (key === undefined) throw new JWSInvalid()
      return key.secret
    }
    const { payload } = await jwtVerify(token, getKey, {
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer,
      audience: Object.values(audiences),
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
      currentDate: new Date(now),
    })
    const { sub, jti, iat, exp, aud } = payload
    const use = uses.find((one) => audiences[one] === aud)
    if (use === undefined || typeof jti !== 'string') return undefined
    if (typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub)) return undefined
    if (!Number.isInteger(iat) || !Number.isInteger(exp)) return undefined
    return {
      userId: Number(sub),
      sessionKey: sessionKeyOf(jti),
      use,
      issuedAt: iat!,
      expiresAt: exp!,
      kid,
      notedMinute: 0,
    }
  } catch (error) {
    if (error instanceof JOSEError) return undefined
    throw error // not the token's fault: a client that is told 401 throws its token away
  }
}

function isCurrent({ issuedAt, expiresAt }: VerifiedToken, now: number): boolean {
  return expiresAt * 1000 > now && (issuedAt - clockSkewSeconds) * 1000 <= now
}

/** Whether the token is written in the one way that base64url has for it: no padding, no spare bits set. */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  return (
    parts.length === 3 &&
    parts.every((part) => part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}
