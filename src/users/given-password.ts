import { readFileSync } from 'node:fs'
import { ExplainedError } from '../problems.ts'
import { textFormats } from '../text/formats.ts'
import { type PasswordOwner, type PasswordPolicy, passwordFault } from './password-policy.ts'
import { isHashable } from './passwords.ts'

/**
 * Reads a password file; `called` is what messages call the password: `The password`.
 * @throws ExplainedError when it can't be read, or isn't one line of UTF-8
 */
export function readPasswordFile(file: string, called: string): string {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new ExplainedError(`${called} can't be read: ${(error as Error).message}`)
  }
  return decodePassword(bytes, called)
}

/** A password from the bytes of a file or of standard input, without their one line break. @throws ExplainedError */
export function decodePassword(bytes: Uint8Array, called: string): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ExplainedError(`${called} must be UTF-8 text.`)
  }
  const line = text.replace(/\r?\n$/, '')
  if (/[\r\n]/.test(line)) throw new ExplainedError(`${called} must be one line.`)
  return line
}

/** Checks a new password, and brings it into the form that is hashed. @throws ExplainedError */
export function checkNewPassword(
  given: string,
  called: string,
  policy: PasswordPolicy,
  owner: PasswordOwner,
): string {
  const password = textFormats['new-password'].normalise(given)
  const fault = isHashable(password) ? passwordFault(policy, password, owner) : { detail: 'is too long' }
  if (fault) throw new ExplainedError(`${called} ${fault.detail}.`)
  return password
}
