import type { IncomingHttpHeaders } from 'node:http'
import { isForThisMachine, strangersRoleWarning } from '../auth/first-administrator.ts'
import type { Config } from '../config.ts'
import { isPostgresUrl } from '../db/open.ts'
import { isLoopbackHost } from '../http/loopback.ts'

/** Settings that are unsafe together. */
interface UnsafeSetting {
  readonly code: string
  readonly settings: string[]
  /** What is unsafe, and what to do. */
  readonly detail: string
}

/**
 * The settings that are unsafe for a server that others can reach.
 * @param headers those of a request: they tell of a proxy that no setting names
 */
export function unsafeSettings(config: Config, headers: IncomingHttpHeaders): UnsafeSetting[] {
  const { passwordPolicy, corsOrigins, trustProxy, databaseUrl } = config
  const strangers = strangersRoleWarning(config)
  const isBehindProxy = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  const found: (UnsafeSetting | false)[] = [
    strangers !== undefined && {
      code: 'strangers_get_role',
      settings: ['REGISTRATION', 'DEFAULT_ROLE'],
      detail: strangers,
    },
    passwordPolicy === 'basic' &&
      (isBehindProxy || !isForThisMachine(config)) && {
        code: 'weak_passwords',
        settings: ['PASSWORD_POLICY'],
        detail:
          'PASSWORD_POLICY=basic accepts passwords that can be guessed, and others can reach this server. Set PASSWORD_POLICY=strict.',
      },
    isBehindProxy &&
      trustProxy === false && {
        code: 'proxy_not_trusted',
        settings: ['TRUST_PROXY'],
        detail:
          'This request came through a proxy, and TRUST_PROXY names none. All people have the address of the proxy, so that one who tries many passwords makes all others wait. Set TRUST_PROXY to the number of proxies, or to their addresses.',
      },
    corsOrigins.includes('*') && {
      code: 'any_origin',
      settings: ['CORS_ORIGINS'],
      detail:
        'CORS_ORIGINS=* lets every web page read the answers that its visitor may read. Name the origins of your own pages.',
    },
    isSentInTheOpen(databaseUrl) && {
      code: 'database_in_the_open',
      settings: ['DATABASE_URL'],
      detail:
        'The connection to PostgreSQL on another machine is not encrypted, or its certificate is not checked. Add sslmode=verify-full to DATABASE_URL.',
    },
  ]
  return found.filter((one) => one !== false)
}

/** Whether records go to PostgreSQL on another machine without being encrypted, or to whoever answers. */
function isSentInTheOpen(databaseUrl: string): boolean {
  if (!isPostgresUrl(databaseUrl) || !URL.canParse(databaseUrl)) return false
  const { hostname, searchParams } = new URL(databaseUrl)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  const isHere = host === '' || host.startsWith('/') || isLoopbackHost(host)
  const mode = searchParams.get('sslmode') ?? 'disable'
  return !isHere && (mode === 'disable' || mode === 'no-verify')
}
