import { DatabaseSync } from 'node:sqlite'
import { insertSession } from '../src/access/sessions.ts'
import { ensureSigningKey } from '../src/access/signing-keys.ts'
import { createTokens } from '../src/access/tokens.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase, sqlitePath } from '../src/db/open.ts'
import type { Db } from '../src/db/tables.ts'
import { write } from '../src/events/write.ts'
import { insertGrant } from '../src/roles/queries.ts'
import { fold } from '../src/text/fold.ts'
import { admissionKey } from '../src/text/formats.ts'
import { searchText } from '../src/text/search-words.ts'
import { hashPassword } from '../src/users/passwords.ts'
import { insertUser } from '../src/users/queries.ts'
import { generatePeople, type Person } from './people.ts'
import { chooseWords, type SearchWords } from './words.ts'

/** What a seeded database holds that requests are made of. Plain data: it can be sent to a thread. */
export interface Seeded {
  readonly students: number
  readonly viewerTokens: readonly string[]
  readonly registrarTokens: readonly string[]
  readonly words: SearchWords
  readonly loginEmails: readonly string[]
  readonly password: string
}

const peopleSeed = 20_260_901
const accountsOfEachRole = 10
const sessionsOfEachAccount = 50
/** Enough that no account meets its throttle: each attempt counts until its password was found right. */
const loginAccounts = 200
const tokenTtlSeconds = 12 * 3600
const password = 'a long enough password'
const by = { command: 'bench' }

/** Fills a new database: accounts and sessions by the server's own functions, students in bulk. */
export async function seed(databaseUrl: string, students: number): Promise<Seeded> {
  const db = await openDatabase(databaseUrl, { create: true })
  await migrate(db)
  const accounts = await seedAccounts(db)
  await db.destroy()
  return { students, ...accounts, words: seedStudents(sqlitePath(databaseUrl), students), password }
}

async function seedAccounts(db: Db) {
  const passwordHash = await hashPassword(password)
  const instant = new Date()
  const now = instant.toISOString()
  await write(db, by, (db) => ensureSigningKey(db, now))
  const tokens = createTokens({ db, clock: () => instant, ttlSeconds: tokenTtlSeconds, secret: undefined })

  const account = async (db: Db, email: string) =>
    insertUser(db, by, { name: 'Benchmark account', email, passwordHash }, now)

  async function seedTokens(role: 'viewer' | 'registrar'): Promise<string[]> {
    const issued: string[] = []
    for (let i = 0; i < accountsOfEachRole; i++) {
      const userId = await write(db, by, async (db) => {
        const id = await account(db, `${role}${i}@school.example`)
        await insertGrant(db, by, id, role, now)
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
    loginEmails,
  }
}

/** Writes the rows that the server would have written, in one transaction without a flush. */
function seedStudents(path: string, students: number): SearchWords {
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = off; begin')
  const insert = db.prepare(
    `insert into students
       (name, admission_number, admission_key, class_id, folded_name, search_text, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const now = new Date().toISOString()
  const people = generatePeople(peopleSeed)
  const counts = new Map<string, number>()
  for (let i = 0; i < students; i++) {
    const { name, admissionNumber, classId }: Person = people.next().value
    const folded = fold(name)
    const searched = searchText(name, admissionNumber)
    insert.run(name, admissionNumber, admissionKey(admissionNumber), classId, folded, searched, now, now)
    for (const word of new Set(folded.split(/\s+/u))) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  db.exec('commit; pragma wal_checkpoint(truncate)')
  const count = db.prepare('select count(*) as hits from student_search where student_search match ?')
  const words = chooseWords(counts, students, (word) => Number(count.get(`"${word}"`)!.hits))
  db.close()
  return words
}
