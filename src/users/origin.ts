import type { Db, Instant } from '../db/tables.ts'
import type { Author } from '../events/write.ts'

/** What `users.created_by` keeps: `account 7`, `command user add`, or `address 192.0.2.1` of who registered. */
export function originOf({ userId, command, address }: Author): string | null {
  if (userId !== undefined) return `account ${userId}`
  if (command !== undefined) return `command ${command}`
  return address === undefined ? null : `address ${address}`
}

/** When an account was made, and by whom or from where: null where it was made before that was kept. */
export interface Origin {
  readonly created_at: Instant
  readonly created_by: { readonly kind: 'account' | 'command' | 'address'; readonly name: string } | null
}

/** The origin of an account that is there. An account that made it is named by its e-mail address, if it is there. */
export async function getOrigin(db: Db, id: number): Promise<Origin> {
  const { created_at, created_by } = await db
    .selectFrom('users')
    .select(['created_at', 'created_by'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const [, kind, name = ''] = /^(account|command|address) (.+)$/.exec(created_by ?? '') ?? []
  if (kind === 'command' || kind === 'address') return { created_at, created_by: { kind, name } }
  if (kind !== 'account') return { created_at, created_by: null }
  const maker = await db.selectFrom('users').select('email').where('id', '=', Number(name)).executeTakeFirst()
  return { created_at, created_by: { kind, name: maker?.email ?? name } }
}
