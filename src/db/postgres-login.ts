import type { Duplex } from 'node:stream'
import pg from 'pg'
import { LoginRefusedError, sqlState } from './violations.ts'

/**
 * A connection that closes when the login fails on this side, for example when PostgreSQL asks for a password and
 * there is none. `pg` leaves it open, and PostgreSQL waits a minute.
 */
export class LoginClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter & { stream: Duplex } }
    connection.on('error', () => connection.stream.destroy())
  }
}

/** What to do about a login that PostgreSQL refused, by SQLSTATE. */
const remedies: Readonly<Record<string, string>> = {
  '28P01': 'Correct the role and its password in the URL.',
  '28000': 'Make the role, or correct the URL; pg_hba.conf says who may log in.',
  '3D000': 'Make the database (deploy/postgres-init.sql), or correct the URL.',
  '42501': 'Grant the role CONNECT on the database.',
}
const percentEncoded = 'Characters other than letters and digits are written percent-encoded there.'

/** Why no connection can ever be made by this URL. Undefined where the database may only be away. */
export function loginRefusal(error: unknown, url: string): LoginRefusedError | undefined {
  const { host, pathname, password } = new URL(url)
  const place = `PostgreSQL at ${host}${pathname}`
  const { message } = error as Error
  const because = (text: string) => new LoginRefusedError(text, { cause: error })
  if (message.includes('client password must be'))
    return because(
      `${place} asks for a password, and there is none. Write it into the URL (postgres://user:password@host/database), or set PGPASSWORD.`,
    )
  if (error instanceof URIError)
    return because(`The URL of ${place} holds a % that encodes nothing. ${percentEncoded}`)
  const remedy = remedies[sqlState(error) ?? '']
  if (remedy === undefined) return undefined
  const isOdd = sqlState(error) === '28P01' && /[^a-z0-9]/i.test(password)
  return because(`${place} refuses: ${message}. ${remedy}${isOdd ? ` ${percentEncoded}` : ''}`)
}
