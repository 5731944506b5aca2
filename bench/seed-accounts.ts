import { insertSession } from '../src/access/sessions.ts'
import { ensureSigningKey } from '../src/access/signing-keys.ts'
import { createTokens } from '../src/access/tokens.ts'
import type { Db } from '../src/db/tables.ts'
import type { Tx } from '../src/events/log.ts'
import { write } from '../src/events/write.ts'
import { insertGrant } from '../src/roles/queries.ts'
import { hashPassword } from '../src/users/passwords.ts'
import { insertUser } from '../src/users/queries.ts'

/** The accounts of a seeded database: whom requests come from. */
export interface SeededAccounts {
  readonly viewerTokens: readonly string[]
  readonly registrarTokens: readonly string[]
  /** Of class teachers, whose grant is for `teacherClasses` alone. */
  readonly teacherTokens: readonly string[]
  readonly loginEmails: readonly string[]
  readonly password: string
}

/** The classes of the teachers. */
export const teacherClasses = [3, 4]

const accountsOfEachRole = 10
const sessionsOfEachAccount = 50
/** Enough that no account meets its throttle: each attempt counts until its password was found right. */
const loginAccounts = 200
const tokenTtlSeconds = 12 * 3600
const password = 'a long enough password'
const by = { command: 'bench' }

/** Makes accounts with their sessions and tokens, by the server's own functions. */
export async function seedAccounts(db: Db): Promise<SeededAccounts> {
  const passwordHash = await hashPassword(password)
  const instant = new Date()
  const now = instant.toISOString()
  await write(db, by, (db) => ensureSigningKey(db, now))
  const tokens = createTokens({ db, ttlSeconds: tokenTtlSeconds, secret: undefined })

  const account = async (db: Tx, email: string) =>
    insertUser(db, by, { name: 'Benchmark account', email, passwordHash }, now)

  /** Makes accounts that may do what a role allows, for some classes where they are given. */
  async function seedTokens(
    role: 'viewer' | 'registrar',
    called: string = role,
    classes: readonly number[] = [],
  ): Promise<string[]> {
    const issued: string[] = []
    for (let i = 0; i < accountsOfEachRole; i++) {
      const userId = await write(db, by, async (db) => {
        const id = await account(db, `${called}${i}@school.example`)
        await insertGrant(db, id, role, now)
        if (classes.length > 0) await narrowGrants(db, id, classes)
        return id
      })
      const sessions = await Promise.all(
        Array.from({ length: sessionsOfEachAccount }, () => tokens.issue(userId, instant)),
      )
      const expiresAt = new Date(instant.getTime() + tokenTtlSeconds * 1000).toISOString()
      await write(db, by, async (db) => {
        for (const { sessionKey } of sessions)
          await insertSession(db, { key: sessionKey, userId, createdAt: now, expiresAt })
      })
      issued.push(...sessions.map(({ token }) => token))
    }
    return issued
  }

  const loginEmails = Array.from({ length: loginAccounts }, (_, i) => `login${i}@school.example`)
  await write(db, by, async (db) => {
    for (const email of loginEmails) await account(db, email)
  })
  return {
    viewerTokens: await seedTokens('viewer'),
    registrarTokens: await seedTokens('registrar'),
    teacherTokens: await seedTokens('viewer', 'teacher', teacherClasses),
    loginEmails,
    password,
  }
}

/** Makes an account's grants hold for these classes alone. */
async function narrowGrants(db: Db, userId: number, classes: readonly number[]): Promise<void> {
  const granted = await db
    .updateTable('user_roles')
    .set({ all_classes: 0 })
    .where('user_id', '=', userId)
    .returning(['user_id', 'role_id'])
    .execute()
  const rows = granted.flatMap((grant) => classes.map((class_id) => ({ ...grant, class_id })))
  await db.insertInto('user_role_classes').values(rows).execute()
}
