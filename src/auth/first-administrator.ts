import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Db, Instant } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { isLoopbackAddress, isLoopbackHost, isLoopbackOrigin } from '../http/loopback.ts'
import { ExplainedError } from '../problems.ts'
import { hasAdministrator, insertGrant } from '../roles/queries.ts'
import { textFormats } from '../text/formats.ts'
import { checkNewPassword, readPasswordFile } from '../users/given-password.ts'
import { hashPassword } from '../users/passwords.ts'
import { findUserByEmail, insertUser } from '../users/queries.ts'

/** Whether only programs of this machine can reach the server, as far as the settings tell. */
export function isForThisMachine({ host, trustProxy }: Config): boolean {
  return trustProxy === false && (host === 'localhost' || isLoopbackAddress(host))
}

/** What to tell the operator when every stranger who registers gets a role. */
export function strangersRoleWarning(config: Config): string | undefined {
  const { registration, defaultRole } = config
  if (registration === 'closed' || defaultRole === 'none' || isForThisMachine(config)) return undefined
  return `REGISTRATION=open gives the role ${defaultRole} (DEFAULT_ROLE) to every stranger who registers, and others can reach this server. Set DEFAULT_ROLE=none, or REGISTRATION=closed.`
}

/** The command that makes an existing account administrator. */
export const administratorCommand = './registrar.js user grant EMAIL administrator'

/** The command that creates an administrator: the way when nobody can register. */
export const newAdministratorCommand =
  './registrar.js user add --email EMAIL --name NAME --role administrator'

/** Whether a fresh platform's first account, registered on this machine, becomes administrator. */
export function isLoopbackDoorOpen(config: Config): boolean {
  return config.registration === 'open' && config.firstAdmin === 'on' && isForThisMachine(config)
}

const forwardingHeaders = /forwarded|^via$|^x-original-|(^|-)ip$/

/**
 * Whether a request was made by a person at this machine. The peer and every name it gives must be loopback, and no
 * proxy may stand between. (nginx, unless configured otherwise, does not name itself, but speaks HTTP/1.0.)
 */
export function isFromThisMachine(request: FastifyRequest, config: Config): boolean {
  const { host = '', origin } = request.headers
  return (
    isLoopbackDoorOpen(config) &&
    isLoopbackAddress(request.socket.remoteAddress) &&
    request.raw.httpVersion === '1.1' &&
    isLoopbackHost(host) &&
    (origin === undefined || isLoopbackOrigin(origin)) &&
    !Object.keys(request.headers).some((name) => forwardingHeaders.test(name))
  )
}

/**
 * The administrator that the settings name, or undefined when they name none.
 * @throws ExplainedError when the e-mail address is invalid, or the password can't be read or violates the policy
 */
export function readConfiguredAdministrator({ adminEmail, adminPasswordFile, passwordPolicy }: Config) {
  if (adminEmail === undefined || adminPasswordFile === undefined) return undefined
  const { normalise, accepts, detail } = textFormats.email
  const owner = { name: 'Administrator', email: normalise(adminEmail) }
  if (!accepts(owner.email)) throw new ExplainedError(`ADMIN_EMAIL ${detail}.`)
  const called = 'The password in ADMIN_PASSWORD_FILE'
  const given = readPasswordFile(adminPasswordFile, called)
  return { ...owner, password: checkNewPassword(given, called, passwordPolicy, owner) }
}

/**
 * Creates the administrator that the settings name, on a platform that has none.
 * @returns whether it was created
 * @throws ExplainedError
 */
export async function makeConfiguredAdministrator(db: Db, config: Config, now: Instant): Promise<boolean> {
  if (await hasAdministrator(db)) return false
  const named = readConfiguredAdministrator(config)
  if (named === undefined) return false
  const { name, email, password } = named
  if (await findUserByEmail(db, email)) {
    throw new ExplainedError(
      `An account with the address in ADMIN_EMAIL exists, made by someone who registered it. If it is yours, run: ${administratorCommand}`,
    )
  }
  const passwordHash = await hashPassword(password)
  const by = { command: 'serve' }
  await write(db, by, async (db) => {
    const id = await insertUser(db, by, { name, email, passwordHash }, now)
    await insertGrant(db, id, 'administrator', now)
  })
  return true
}
