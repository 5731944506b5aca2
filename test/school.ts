import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { instantAfter } from '../src/access/clock.ts'
import { insertSession } from '../src/access/sessions.ts'
import { ensureSigningKey } from '../src/access/signing-keys.ts'
import { createTokens, type Tokens } from '../src/access/tokens.ts'
import { buildApp, type RegistrarApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import type { Db } from '../src/db/tables.ts'
import { write } from '../src/events/write.ts'
import type { ExportLimits } from '../src/exports/routes.ts'
import { insertGrant } from '../src/roles/queries.ts'
import { hashPassword } from '../src/users/passwords.ts'
import { insertUser } from '../src/users/queries.ts'
import { type AnswerCheck, checkAnswersAgainst } from './answers.ts'
import { atEnd } from './cleanup.ts'
import { migratedDatabaseUrl } from './engine.ts'

/** Who writes in tests. */
export const byTest = { command: 'test' }

export const password = 'a long enough password'
let passwordHash: Promise<string> | undefined

/** What the app says to a request that it sheds since the event loop lags, and how often it looks at that. */
const shed = 'The server is overloaded just now'
const lagSampleMs = 300

export interface SchoolOptions {
  /** Settings, as the environment would hold them. */
  readonly env?: Readonly<Record<string, string>>
  /** Makes each commit slower, in milliseconds: a slow disk. */
  readonly flushDelayMs?: number
  /** The limits of exports; else the usual ones. */
  readonly exportLimits?: ExportLimits
  /** A database that is there already; else one is made. */
  readonly databaseUrl?: string
}

/** A person with an account, logged in. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly token: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
  readonly body: any
  readonly text: string
}

/**
 * What a request carries: a person's token (or any token), a JSON body, headers, raw payload, peer address. `once`: it is
 * not sent again where it was shed.
 */
export interface Sending {
  readonly as?: Person | string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly payload?: string | Buffer
  readonly from?: string
  readonly once?: true
}

/** A whole app on a database of its own, closed when the test file ends. */
export class School {
  readonly app: RegistrarApp
  readonly db: Db
  readonly config: Config
  readonly databaseUrl: string
  /** Every line the app logged. */
  readonly log: string[]
  /** Throws when an answer is not what the app's document promises. */
  readonly check: AnswerCheck
  readonly #clock: { now: number }
  readonly #tokens: Tokens
  #people = 0

  constructor(parts: {
    app: RegistrarApp
    db: Db
    config: Config
    databaseUrl: string
    log: string[]
    clock: { now: number }
    check: AnswerCheck
  }) {
    this.app = parts.app
    this.db = parts.db
    this.config = parts.config
    this.databaseUrl = parts.databaseUrl
    this.log = parts.log
    this.check = parts.check
    this.#clock = parts.clock
    const { tokenTtlSeconds: ttlSeconds, tokenSecret: secret } = parts.config
    this.#tokens = createTokens({ db: parts.db, ttlSeconds, secret })
  }

  /** The time at this school. */
  now(): Date {
    return new Date(this.#clock.now)
  }

  /** Moves the school's clock; negative: back. */
  passSeconds(seconds: number): void {
    this.#clock.now += seconds * 1000
  }

  /**
   * Sends a request and checks the answer against the OpenAPI document and the headers that all answers carry. What is
   * shed since the event loop lags is sent again.
   */
  async send(
    method: string,
    url: string,
    { as, body, headers, payload, from, once }: Sending = {},
  ): Promise<Answer> {
    const token = typeof as === 'string' ? as : as?.token
    const sent = payload ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await this[once ? 'inject' : 'insist']({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(headers as Record<string, string>),
      },
      ...(sent !== undefined && { payload: sent }),
      ...(from !== undefined && { remoteAddress: from }),
    })
    const isJson = /json/.test(String(answer.headers['content-type'])) && answer.payload !== ''
    const seen = {
      status: answer.statusCode,
      headers: answer.headers as Answer['headers'],
      body: isJson ? answer.json() : undefined,
      text: answer.payload,
    }
    this.check(method, url, seen)
    return seen
  }

  /** Sends a request, and checks nothing. Ends the timer of its response, which would keep the process for 30 s. */
  async inject(options: InjectOptions): Promise<LightMyRequestResponse> {
    // A copy: the server gives back the memory of what it has taken.
    const { payload } = options
    const sent = Buffer.isBuffer(payload) ? { ...options, payload: Buffer.from(payload) } : options
    const answer = await this.app.inject(sent)
    clearTimeout((answer.raw.res as { timeoutHandle?: NodeJS.Timeout }).timeoutHandle)
    return answer
  }

  /** Sends again what was shed: on a busy machine what a test itself does, or compiles, may hold the app up. */
  async insist(options: InjectOptions, tries = 20): Promise<LightMyRequestResponse> {
    const answer = await this.inject(options)
    const isShed = answer.statusCode === 503 && (options.method === 'HEAD' || answer.payload.includes(shed))
    if (!isShed || tries === 1) return answer
    for (const until = performance.now() + lagSampleMs; performance.now() < until; ) await setImmediate()
    return this.insist(options, tries - 1)
  }

  get(url: string, as?: Person | string): Promise<Answer> {
    return this.send('GET', url, as === undefined ? {} : { as })
  }

  post(url: string, body: unknown, as?: Person | string): Promise<Answer> {
    return this.send('POST', url, as === undefined ? { body } : { body, as })
  }

  login(email: string, withPassword = password): Promise<Answer> {
    return this.post('/api/auth/login', { email, password: withPassword })
  }

  /**
   * Makes an account with a role and a session, as after a login: hashing the password would take longest. What is
   * not given is made up.
   */
  async person(
    role: 'administrator' | 'registrar' | 'viewer' | 'none' = 'none',
    given: { readonly name?: string; readonly email?: string } = {},
  ): Promise<Person> {
    passwordHash ??= hashPassword(password)
    const hash = await passwordHash
    const place = ++this.#people
    const { name = `Person ${place}`, email = `person${place}@school.example` } = given
    const now = this.now()
    const createdAt = now.toISOString()
    const expiresAt = instantAfter(now, this.config.tokenTtlSeconds * 1000)
    const id = await write(this.db, byTest, async (db) => {
      const id = await insertUser(db, byTest, { name, email, passwordHash: hash }, createdAt)
      if (role !== 'none') await insertGrant(db, id, role, createdAt)
      return id
    })
    const { token, sessionKey: key } = await this.#tokens.issue(id, now)
    const client = { address: '127.0.0.1', client: 'lightMyRequest' }
    await write(this.db, byTest, (db) =>
      insertSession(db, { key, userId: id, createdAt, expiresAt, ...client }),
    )
    return { id, email, token }
  }

  /** Creates a student over the API; what is not given is made up. */
  async student(
    as: Person,
    given: { name?: string; admission_number?: string; class_id?: number; fields?: object } = {},
  ): Promise<number> {
    const answer = await this.post(
      '/api/students',
      { name: 'Ada Lovelace', admission_number: `n-${crypto.randomUUID()}`, class_id: 1, ...given },
      as,
    )
    if (answer.status !== 201) throw new Error(`creating a student: ${answer.text}`)
    return answer.body.data.id
  }

  /** How many rows a table holds. */
  async count(
    table: 'users' | 'students' | 'sessions' | 'throttles' | 'user_roles' | 'classes' | 'former_numbers',
  ): Promise<number> {
    const rows = await this.db
      .selectFrom(table)
      .select((q) => q.fn.countAll<number>().as('count'))
      .execute()
    return Number(rows[0]!.count)
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.db.destroy()
  }
}

/** The app's document. That of the default policy `test/run.ts` derived, where it runs the test. */
async function documentOf(app: RegistrarApp, { passwordPolicy }: Config): Promise<object> {
  const file = process.env.TEST_OPENAPI
  return file !== undefined && passwordPolicy === 'basic'
    ? JSON.parse(readFileSync(file, 'utf8'))
    : app.describe()
}

/** The checks of answers, by the policy of passwords: the document depends on no other setting. */
const checks = new Map<string, Promise<AnswerCheck>>()

/** Opens a school: a fresh database, migrated, and the whole app on it. It closes itself. */
export async function openSchool(options: SchoolOptions = {}): Promise<School> {
  const { env = {}, flushDelayMs = 0, databaseUrl = await migratedDatabaseUrl(), exportLimits } = options
  const config = readConfig({ DATABASE_URL: databaseUrl, ...env })
  const db = await openDatabase(databaseUrl, { create: true, flushDelayMs })
  await migrate(db)
  const clock = { now: Date.parse('2026-09-01T08:00:00.000Z') }
  await write(db, byTest, (db) => ensureSigningKey(db, new Date(clock.now).toISOString()))
  const log: string[] = []
  const app = await buildApp({
    config,
    db,
    ...(exportLimits && { exportLimits }),
    clock: () => new Date(clock.now),
    logStream: { write: (line) => void log.push(line) },
  })
  const check = checks.get(config.passwordPolicy) ?? documentOf(app, config).then(checkAnswersAgainst)
  checks.set(config.passwordPolicy, check)
  const school = new School({ app, db, config, databaseUrl, log, clock, check: await check })
  atEnd(() => school.close())
  return school
}
