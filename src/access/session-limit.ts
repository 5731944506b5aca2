import type { Db, Instant } from '../db/tables.ts'

/** How many living sessions an account has at most. */
export const maxSessions = 100

/** The living sessions of an account that expire last, as many as it may have at most. */
export function livingSessionsOf(db: Pick<Db, 'selectFrom'>, userId: number, now: Instant) {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .limit(maxSessions)
}

/**
 * Ends the longest unused of an account's living sessions, so that some are kept. It reads only so many, those that
 * expire first: one call is quick, whatever the account has. @returns whether there may be more to end
 */
export async function deleteLongestUnused(
  db: Db,
  userId: number,
  now: Instant,
  { among, kept }: { among: number; kept: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('key', 'in', (query) =>
      query
        .selectFrom((query) =>
          query
            .selectFrom('sessions')
            .select(['key', 'created_at', 'last_used_at'])
            .where('user_id', '=', userId)
            .where('expires_at', '>', now)
            .orderBy('expires_at')
            .limit(among)
            .as('first'),
        )
        .select('key')
        .orderBy((q) => q.fn.coalesce('last_used_at', 'created_at'), 'desc')
        .orderBy('key')
        .limit(among)
        .offset(kept),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The accounts that have more living sessions than they may: made before there was a limit. */
export async function findCrowdedAccounts(db: Db, now: Instant): Promise<number[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('expires_at', '>', now)
    .groupBy('user_id')
    .having((q) => q.fn.countAll(), '>', maxSessions)
    .limit(1_000)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Ends a thousand sessions of such an account at most. @returns whether there may be more to end */
export async function trimSessions(db: Db, userId: number, now: Instant): Promise<boolean> {
  return deleteLongestUnused(db, userId, now, { among: maxSessions + 1_000, kept: maxSessions })
}
