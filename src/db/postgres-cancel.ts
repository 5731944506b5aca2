import type pg from 'pg'
import { LoginClient } from './postgres-login.ts'

/** What the types of `pg` leave out: how a client begins, and what identifies its statements for a cancel request. */
type Inner = LoginClient & {
  readonly connection: { startup(): void; cancel(processId: number, secret: number): void }
  readonly processID: number
  readonly secretKey: number
}

/**
 * Asks PostgreSQL, or a pooler, to cancel what a connection runs. The request goes by a connection of its own
 * (PostgreSQL, "Canceling Requests in Progress"). There is no answer.
 */
export function cancelStatement(url: string, client: pg.ClientBase): void {
  const { processID, secretKey } = client as Inner
  const messenger = new LoginClient({ connectionString: url, connectionTimeoutMillis: 1_000 }) as Inner
  messenger.on('error', () => {})
  messenger.connection.startup = () => messenger.connection.cancel(processID, secretKey)
  messenger.connect().catch(() => {}) // it ends without an answer
}
