import type pg from 'pg'
import { LoginClient } from './postgres-login.ts'

/** What `pg` does not tell in its types: how a client begins, and by what its statements are cancelled. */
type Inner = LoginClient & {
  readonly connection: { startup(): void; cancel(processId: number, secret: number): void }
  readonly processID: number
  readonly secretKey: number
}

/**
 * Asks PostgreSQL, or a pooler, to cancel what a connection runs, by a connection of its own that begins with the
 * request (PostgreSQL, "Canceling Requests in Progress"). Nothing tells whether it was heard.
 */
export function cancelStatement(url: string, client: pg.ClientBase): void {
  const { processID, secretKey } = client as Inner
  const messenger = new LoginClient({ connectionString: url, connectionTimeoutMillis: 1_000 }) as Inner
  messenger.on('error', () => {})
  messenger.connection.startup = () => messenger.connection.cancel(processID, secretKey)
  messenger.connect().catch(() => {}) // it ends without an answer
}
