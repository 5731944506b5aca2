import { Kysely } from 'kysely'
import pg from 'pg'
import { buildApp, type RegistrarApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { postgresDialect } from '../src/db/postgres.ts'
import { postgresReadsOf } from '../src/db/postgres-adapter.ts'
import type { BoundStatement } from '../src/db/sqlite-reader.ts'
import type { Tables } from '../src/db/tables.ts'
import { runSql } from '../test/postgres.ts'
import { everyNumberBegins } from './people.ts'
import { explain, type Plan } from './plans.ts'
import { lastPage, searchPath } from './requests.ts'
import type { Seeded } from './seed.ts'
import { table } from './table.ts'

const moreAccounts = 20_000

/** A request, and the statements that the server sent for it. */
interface Recorded {
  readonly title: string
  readonly statements: readonly BoundStatement[]
}

/**
 * Makes every hot request at the whole app, and prints PostgreSQL's plan of each statement that it sent. What
 * is explained is what the driver was handed, by Kysely or past it: nothing is written down twice.
 */
export async function explainStatements(databaseUrl: string, seeded: Seeded): Promise<void> {
  // Explained is a copy, where what the requests created is not there yet.
  const copyUrl = new URL('/explained', databaseUrl).href
  await runSql(new URL('/postgres', databaseUrl).href, 'create database explained template bench')
  await addAccounts(copyUrl)
  const recorded = await recordRequests(databaseUrl, seeded)
  const client = new pg.Client({ connectionString: copyUrl })
  await client.connect()
  const scans: string[][] = []
  try {
    for (const [i, { title, statement }] of distinct(recorded).entries()) {
      const plan = await explain(client, `hot${i}`, statement)
      print(title, statement, plan)
      scans.push(...plan.scans.map((scan) => [title, scan.table, String(scan.pages), scan.instead]))
    }
  } finally {
    await client.end()
  }
  console.log(`statements a request, begin and commit left out\n`)
  const counts = recorded.map(({ title, statements }) => [title, String(statements.length)])
  console.log(`${table(['request', 'statements'], counts)}\n`)
  if (scans.length === 0) return console.log('sequential scans: none')
  console.log('sequential scans, and what reads the table where they are avoided (enable_seqscan = off)\n')
  console.log(table(['request', 'table', 'pages', 'instead'], scans))
}

/** Grows the tables that a school's years would grow: on a page or two PostgreSQL scans whatever is indexed. */
async function addAccounts(databaseUrl: string): Promise<void> {
  const accounts = `insert into users (name, email, password_hash, created_at, updated_at)
    select 'More', 'more' || i || '@school.example', '', now(), now() from generate_series(1, ${moreAccounts}) as i`
  const grants = `insert into user_roles (user_id, role_id, granted_at)
    select users.id, roles.id, now() from users, roles where users.name = 'More' and roles.name = 'viewer'`
  const throttles = `insert into throttles (key, level, blocked_until, updated_at)
    select 'more' || i, 1, now(), now() from generate_series(1, ${moreAccounts}) as i`
  await runSql(databaseUrl, accounts, grants, throttles, 'vacuum analyze')
}

/** Each statement once, under its first request; searches are one statement and may differ in their plans. */
function distinct(recorded: readonly Recorded[]) {
  const found = new Map<string, { title: string; statement: BoundStatement }>()
  for (const { title, statements } of recorded) {
    for (const statement of statements) {
      const key = statement.sql.includes(' like ') ? `${title} ${statement.sql}` : statement.sql
      if (!found.has(key)) found.set(key, { title, statement })
    }
  }
  return [...found.values()]
}

function print(title: string, { sql, parameters }: BoundStatement, { settled, first }: Plan) {
  const shown = parameters.map((value) => (value instanceof Uint8Array ? '<bytes>' : JSON.stringify(value)))
  console.log(`── ${title}\n${sql}\n-- ${shown.join(', ')}`)
  console.log(indent(settled))
  if (first !== undefined) console.log(`   at its first runs, planned for the values:\n${indent(first)}`)
  console.log('')
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `   ${line}`).join('\n')
}

async function recordRequests(databaseUrl: string, seeded: Seeded): Promise<Recorded[]> {
  let statements: BoundStatement[] = []
  const db = new Kysely<Tables>({
    dialect: postgresDialect({ url: databaseUrl, poolSize: 1, prepare: true, limits: true }),
    log: ({ query }) => void statements.push(query),
  })
  const reads = postgresReadsOf(db)!
  const together = reads.together.bind(reads)
  reads.together = (sql, parameters) => {
    statements.push({ sql, parameters })
    return together(sql, parameters)
  }
  const config = readConfig({ DATABASE_URL: databaseUrl, FIRST_ADMIN: 'off', REGISTRATION: 'closed' })
  const app = await buildApp({ config, db, logStream: { write() {} } })
  const recorded: Recorded[] = []
  for (const [title, request] of hotRequests(seeded)) {
    await send(app, request) // what is remembered afterwards, signing keys say, is read now
    statements = []
    await send(app, request)
    recorded.push({ title, statements: [...statements] })
  }
  await app.close()
  await db.destroy()
  return recorded
}

interface Request {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly token?: string
  readonly body?: () => Readonly<Record<string, unknown>>
}

function hotRequests(seeded: Seeded): readonly (readonly [title: string, Request])[] {
  const { registrarTokens, loginEmails, password, words, students } = seeded
  const token = registrarTokens[0]!
  const get = (url: string): Request => ({ method: 'GET', url, token })
  const search = (text: string) => get(searchPath(text))
  const student = () => ({ name: 'Ada Lovelace', admission_number: crypto.randomUUID(), class_id: 1 })
  const login = () => ({ email: loginEmails[0]!, password })
  return [
    ['get one', get(`/api/students/${Math.ceil(students / 2)}`)],
    ['list page 1', get('/api/students')],
    ['list the last page', get(`/api/students?page=${lastPage(seeded)}`)],
    ['search a rare word', search(words.rare[0]!.word)],
    ['search a common word', search(words.common.word)],
    ['search two words', search(words.twoWords)],
    ['search two letters', search(words.twoLetters.word)],
    ['search what every record holds', search(everyNumberBegins)],
    ['create', { method: 'POST', url: '/api/students', token, body: student }],
    ['login', { method: 'POST', url: '/api/auth/login', body: login }],
  ]
}

async function send(app: RegistrarApp, { method, url, token, body }: Request): Promise<void> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await app.inject({ method, url, headers, ...(body && { payload: body() }) })
  if (answer.statusCode > 299) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
}
