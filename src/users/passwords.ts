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

/** A hash of a random password, for accounts that do not exist: verifying it takes the same time. */
const nobody = `${currentParameters}2tW/Cgnw8P1uQ9R+p4wEeQ$5+nDKV+Bw+5gM0005uHrxDLPD0IOdvRLqKM0G3Wa30c`

/** @returns a PHC string */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), parameters)
}

/**
 * Verifies in the same time whether or not there is a stored hash. A stored text that is no Argon2id hash of
 * acceptable cost, for example in an altered file, matches no password.
 */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const typed = password.normalize('NFC')
  if (passwordHash !== undefined && isBearable(passwordHash)) {
    try {
      return await verify(passwordHash, typed)
    } catch {
      // Parts that cannot be decoded; nothing was hashed yet.
    }
  }
  await verify(nobody, typed)
  return false
}

/** A PHC string of Argon2id, version 1.3: salt of 8 bytes or more, hash of 16 or more. */
const phc =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=([1-4])\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/

/** Whether a stored hash takes at most 256 MiB and ten passes to compare with. */
function isBearable(passwordHash: string): boolean {
  const [, memoryKib, passes, lanes] = (phc.exec(passwordHash) ?? []).map(Number)
  return memoryKib! >= 8 * lanes! && memoryKib! <= 262_144 && passes! >= 1 && passes! <= 10
}

/** Whether anybody can have this password: one that is too long is wrong without being hashed. */
export function isHashable(password: string): boolean {
  return (
    password.length <= 4 * maxPasswordLength && codePoints(password.normalize('NFC')) <= maxPasswordLength
  )
}

/** Whether a stored hash was made with weaker parameters than today's. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(currentParameters)
}
