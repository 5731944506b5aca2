import { isIP } from 'node:net'
import type { SettingName } from './config/names.ts'
import { fileFaults } from './config/settings-file.ts'
import { ExplainedError } from './problems.ts'

/** Everything that can be set. Frozen; read from the environment once, by `readConfig`. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  /** PostgreSQL: the most connections of this instance. */
  readonly databasePool: number
  /** PostgreSQL: whether statements are prepared under names. */
  readonly databasePrepare: boolean
  /** PostgreSQL: whether a server may migrate a database that already holds a schema. */
  readonly migrate: boolean
  /** How long a server goes on serving after a signal to stop. */
  readonly drainSeconds: number
  readonly logLevel: string
  readonly tokenTtlSeconds: number
  readonly tokenSecret: string | undefined
  readonly registration: 'open' | 'closed'
  /** How many may register in an hour from one address; ten times as many in all. */
  readonly registrationLimit: number
  /** How large a file of an import may be. */
  readonly importMaxBytes: number
  readonly defaultRole: 'none' | 'viewer' | 'registrar'
  readonly firstAdmin: 'on' | 'off'
  readonly adminEmail: string | undefined
  readonly adminPasswordFile: string | undefined
  readonly passwordPolicy: 'basic' | 'strict'
  /** `false`, a number of hops, or the addresses of the proxies: as Fastify takes it. */
  readonly trustProxy: false | number | string[]
  readonly corsOrigins: readonly string[]
  /** How long nobody may touch the console before it is locked. */
  readonly consoleIdleMinutes: number
}

/** Says every fault of the environment at once, each with its fix. */
export class ConfigError extends ExplainedError {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    )
    this.faults = faults
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Where the settings of the environment come from, and which of them are read. */
interface Reading {
  /** The text of `.env`, whose settings are in the environment. */
  readonly file?: string | undefined
  /** Only these are read, and all others have their defaults. */
  readonly only?: readonly SettingName[] | undefined
}

/** @throws ConfigError that lists all faults */
export function readConfig(env: Environment, { file = '', only }: Reading = {}): Config {
  const isRead = (name: SettingName) => only?.includes(name) ?? true
  const faults = fileFaults(file, isRead)
  const text = (name: SettingName) => (isRead(name) && env[name]?.trim()) || undefined

  function oneOf<const Value extends string>(
    name: SettingName,
    values: readonly Value[],
    fallback: Value,
  ): Value {
    const value = text(name) ?? fallback
    if (values.includes(value as Value)) return value as Value
    faults.push(`${name} must be ${values.join(' or ')}. Set ${name}=${fallback} or leave it unset.`)
    return fallback
  }

  function integer(name: SettingName, least: number, most: number, fallback: number, unit: string): number {
    const value = text(name) ?? String(fallback)
    if (/^\d{1,10}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value)
    faults.push(
      `${name} must be ${unit} from ${least} to ${most}. Set ${name}=${fallback} or leave it unset.`,
    )
    return fallback
  }

  const config: Config = {
    host: text('HOST') ?? 'localhost',
    port: integer('PORT', 0, 65_535, 3000, 'a port'),
    databaseUrl: text('DATABASE_URL') ?? 'sqlite:./data/registrar.db',
    databasePool: integer('DATABASE_POOL', 1, 1_000, 10, 'a number of connections'),
    databasePrepare: oneOf('DATABASE_PREPARE', ['on', 'off'], 'on') === 'on',
    migrate: oneOf('MIGRATE', ['off', 'on'], 'off') === 'on',
    drainSeconds: integer('DRAIN_SECONDS', 0, 3_600, 0, 'a number of seconds'),
    logLevel: oneOf('LOG_LEVEL', ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'], 'info'),
    tokenTtlSeconds: integer('TOKEN_TTL', 60, 31_536_000, 43_200, 'a number of seconds'),
    tokenSecret: text('TOKEN_SECRET'),
    registration: oneOf('REGISTRATION', ['open', 'closed'], 'open'),
    registrationLimit: integer('REGISTRATION_LIMIT', 1, 1_000_000, 300, 'a number of registrations an hour'),
    importMaxBytes: integer('IMPORT_MAX_BYTES', 1_024, 1_073_741_824, 33_554_432, 'a number of bytes'),
    defaultRole: oneOf('DEFAULT_ROLE', ['none', 'viewer', 'registrar'], 'none'),
    firstAdmin: oneOf('FIRST_ADMIN', ['on', 'off'], 'on'),
    adminEmail: text('ADMIN_EMAIL'),
    adminPasswordFile: text('ADMIN_PASSWORD_FILE'),
    passwordPolicy: oneOf('PASSWORD_POLICY', ['basic', 'strict'], 'basic'),
    trustProxy: readTrustProxy(text('TRUST_PROXY') ?? 'off', faults),
    corsOrigins: readOrigins(text('CORS_ORIGINS') ?? '', faults),
    consoleIdleMinutes: integer('CONSOLE_IDLE_MINUTES', 1, 1_440, 20, 'a number of minutes'),
  }

  const urlFault = databaseUrlFault(config.databaseUrl)
  if (urlFault !== undefined) faults.push(`DATABASE_URL ${urlFault}`)
  if (config.tokenSecret !== undefined && Buffer.byteLength(config.tokenSecret) < 32) {
    faults.push(
      'TOKEN_SECRET is too short: it needs 32 bytes or more. Make one with "openssl rand -base64 48", or leave it unset and the server makes its own.',
    )
  }
  if ((config.adminEmail === undefined) !== (config.adminPasswordFile === undefined)) {
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD_FILE go together. Set both, or neither.')
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** What is wrong with the URL of a database, without its password, and the fix; undefined for one that can be read. */
export function databaseUrlFault(value: string): string | undefined {
  if (/^sqlite:(?!:memory:$).+/.test(value)) return undefined
  if (!/^postgres(ql)?:\/\//.test(value))
    return 'must be sqlite: and the path of a file, or postgres:// and what follows. Set DATABASE_URL=sqlite:./data/registrar.db, or postgres://user@host/database.'
  if (URL.canParse(value) && !isCutByPassword(new URL(value))) return undefined
  return "can't be read as postgres://user:password@host:port/database. Percent-encode every character of the user name and the password but letters and digits: @ is %40, / is %2F, # is %23, ? is %3F."
}

/**
 * Whether a `/`, `?` or `#` of a password has ended the host, so that the rest of it stands behind. No parameter has an
 * `@` in its name.
 */
function isCutByPassword({ pathname, search, searchParams, hash }: URL): boolean {
  const isHostInSearch =
    search.includes('@') &&
    (pathname.length < 2 || [...searchParams.keys()].some((name) => name.includes('@')))
  return hash !== '' || pathname.includes('@') || isHostInSearch
}

function readTrustProxy(value: string, faults: string[]): Config['trustProxy'] {
  if (value === 'off') return false
  if (/^[1-9]\d?$/.test(value)) return Number(value)
  const addresses = value.split(',').map((address) => address.trim())
  if (addresses.every(isNetwork)) return addresses
  faults.push(
    'TRUST_PROXY must be off, a number of hops from 1 to 99, or addresses such as 10.0.0.1,10.1.0.0/16. Leave it unset when no proxy stands before the server.',
  )
  return false
}

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  return (
    version !== 0 &&
    rest.length === 0 &&
    (bits === undefined ||
      (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}

function readOrigins(value: string, faults: string[]): string[] {
  const origins = value
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '' && origin !== 'none')
  for (const origin of origins) {
    if (origin === '*' || origin === 'local') continue
    if (URL.canParse(origin) && new URL(origin).origin === origin && !origin.includes('*')) continue
    faults.push(
      'CORS_ORIGINS must hold origins such as https://app.school.example, or local, or *, separated by commas. An origin has no path and no closing slash.',
    )
    break
  }
  return origins
}
