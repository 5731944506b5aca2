import { readFileSync } from 'node:fs'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Db, Instant } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { isLoopbackAddress, isLoopbackHost, isLoopbackOrigin } from '../http/headers.ts'
import { hasAdministrator, insertGrant } from '../roles/queries.ts'
import { textFormats } from '../text/formats.ts'
import { passwordFault } from '../users/password-policy.ts'
import { hashPassword, isHashable } from '../users/passwords.ts'
import { findUserByEmail, insertUser } from '../users/queries.ts'

/** The command that makes an administrator when no door is open. */
export const administratorCommand = './registrar.js user grant EMAIL administrator'

/** Whether a fresh platform's first account, registered on this machine, becomes administrator. */
export function isLoopbackDoorOpen({ firstAdmin, host, trustProxy }: Config): boolean {
  return firstAdmin === 'on' && trustProxy === false && (host === 'localhost' || isLoopbackAddress(host))
}

const forwardingHeaders = /forwarded|^via$|^x-original-|(real|client|connecting)-ip$/

/**
 * Whether a request was made by a person at this machine: the peer and every name it gives are loopback, and
 * no proxy stands between.
 */
export function isFromThisMachine(request: FastifyRequest, config: Config): boolean {
  const { host = '', origin } = request.headers
  return (
    isLoopbackDoorOpen(config) &&
    isLoopbackAddress(request.socket.remoteAddress) &&
    isLoopbackHost(host) &&
    (origin === undefined || isLoopbackOrigin(origin)) &&
    !Object.keys(request.headers).some((name) => forwardingHeaders.test(name))
  )
}

/** `ADMIN_EMAIL` or `ADMIN_PASSWORD_FILE` cannot make an administrator; the message says why. */
export class FirstAdministratorError extends Error {
  override readonly name = 'FirstAdministratorError'
}

/**
 * Makes the administrator that the configuration names, on a platform that has none.
 * @returns whether it was made: once there is one, this door is shut
 * @throws FirstAdministratorError
 */
export async function makeConfiguredAdministrator(db: Db, config: Config, now: Instant): Promise<boolean> {
  const { adminEmail, adminPasswordFile, passwordPolicy } = config
  if (adminEmail === undefined || adminPasswordFile === undefined || (await hasAdministrator(db)))
    return false
  const email = textFormats.email.normalise(adminEmail)
  if (!textFormats.email.accepts(email))
    throw new FirstAdministratorError('ADMIN_EMAIL is not an e-mail address.')
  if (await findUserByEmail(db, email)) {
    throw new FirstAdministratorError(
      `An account with the address in ADMIN_EMAIL exists, made by someone who registered it. If it is yours, run: ${administratorCommand}`,
    )
  }
  const password = readPassword(adminPasswordFile)
  const owner = { name: 'Administrator', email }
  const fault = isHashable(password)
    ? passwordFault(passwordPolicy, password, owner)
    : { detail: 'is too long' }
  if (fault) throw new FirstAdministratorError(`The password in ADMIN_PASSWORD_FILE ${fault.detail}.`)
  const passwordHash = await hashPassword(password)
  const by = { command: 'serve' }
  await write(db, by, async (db) => {
    const id = await insertUser(db, by, { ...owner, passwordHash }, now)
    await insertGrant(db, by, id, 'administrator', now)
  })
  return true
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new FirstAdministratorError(`ADMIN_PASSWORD_FILE can't be read: ${(error as Error).message}`)
  }
}
