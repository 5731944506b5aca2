import { hash, type Options, verify } from '@node-rs/argon2'
import { codePoints } from '../text/normalise.ts'

/** Argon2id as the OWASP Password Storage Cheat Sheet sets it: 19 456 KiB, 2 passes, 1 lane. */
const parameters: Options = {
  algorithm: 2, // Argon2id: the package's const enum can't be imported under these compiler flags
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}
const currentParameters = '$argon2id$v=19$m=19456,t=2,p=1$'

/** The longest password, in code points. A longer one is refused before it is hashed. */
export const maxPasswordLength = 256

/** A hash of nothing that anyone knows, for accounts that don't exist: the same work, the same time. */
const nobody = `${currentParameters}2tW/Cgnw8P1uQ9R+p4wEeQ$5+nDKV+Bw+5gM0005uHrxDLPD0IOdvRLqKM0G3Wa30c`

/** @returns a PHC string */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), parameters)
}

/** Compares in the same time whether or not there is a hash to compare with. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? nobody, password.normalize('NFC'))
  return matches && passwordHash !== undefined
}

/** Whether a password can be anyone's at all: an over-long one is wrong without being hashed. */
export function isHashable(password: string): boolean {
  return (
    password.length <= 4 * maxPasswordLength && codePoints(password.normalize('NFC')) <= maxPasswordLength
  )
}

/** Whether a stored hash was made with less than today's parameters. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(currentParameters)
}
