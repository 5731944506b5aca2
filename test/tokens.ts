import { createHmac, hash, randomUUID } from 'node:crypto'
import { insertSession } from '../src/access/sessions.ts'
import { findSigningKeys, type SigningKey } from '../src/access/signing-keys.ts'
import { write } from '../src/events/write.ts'
import { byTest, type Person, type School } from './school.ts'

/** A token's header or claims; a value that is undefined leaves the member out. */
export type Members = Readonly<Record<string, unknown>>

/** A living session whose `jti` the test knows: what a right token for it says, and the key that signs it. */
export interface OpenSession {
  readonly claims: Members
  readonly header: Members
  readonly key: SigningKey
}

const hour = 3600

/** Opens a session as a login does, so that every token signed for it is wrong only in what a test makes wrong. */
export async function openSession(school: School, person: Pick<Person, 'id'>): Promise<OpenSession> {
  const [session] = await openSessions(school, [person])
  return session!
}

/** Opens a session for each of these, in one write: for one who is named twice, two. */
export async function openSessions(
  school: School,
  people: readonly Pick<Person, 'id'>[],
): Promise<OpenSession[]> {
  const iat = Math.floor(school.now().getTime() / 1000)
  const createdAt = school.now().toISOString()
  const expiresAt = new Date((iat + 24 * hour) * 1000).toISOString()
  const [key] = await findSigningKeys(school.db)
  const opened = people.map(({ id }): OpenSession & { jti: string; userId: number } => {
    const jti = randomUUID()
    const claims = { iss: 'registrar', aud: 'registrar-api', sub: String(id), jti, iat, exp: iat + hour }
    return { claims, header: { alg: 'HS256', typ: 'JWT', kid: key!.kid }, key: key!, jti, userId: id }
  })
  await write(school.db, byTest, async (db) => {
    for (const { jti, userId } of opened)
      await insertSession(db, { key: hash('sha256', jti, 'buffer'), userId, createdAt, expiresAt })
  })
  return opened
}

/** Writes a JWS in compact form, signed by HMAC, whatever header and claims say. */
export function signToken(
  header: Members,
  claims: unknown,
  secret: Uint8Array | string,
  algorithm = 'sha256',
): string {
  const signed = [header, claims].map((part) => base64url(JSON.stringify(part))).join('.')
  return `${signed}.${createHmac(algorithm, secret).update(signed).digest('base64url')}`
}

export function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}

/** The token with the signature's last character replaced by another that decodes to the same bytes. */
export function withSpareBitsEdited(token: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const value = alphabet.indexOf(token.at(-1)!)
  const sameBytes = [1, 2, 3].map((spare) => alphabet[(value & ~3) | ((value + spare) & 3)])
  return sameBytes.map((last) => token.slice(0, -1) + last)
}
