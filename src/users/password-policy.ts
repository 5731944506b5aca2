import type { Fault, FaultParams } from '../problems.ts'
import { fold } from '../text/fold.ts'
import { codePoints } from '../text/normalise.ts'
import { commonPasswords } from './common-passwords.ts'

export type PasswordPolicy = 'basic' | 'strict'

/** In code points. */
export const leastPasswordLength = { basic: 8, strict: 15 } as const

const knownTexts: Record<FaultParams['made_of'], string> = {
  email: 'the e-mail address',
  name: 'the name',
  service: "the service's name",
}

/** Whose password it would be. */
export interface PasswordOwner {
  readonly name: string
  readonly email: string
}

/**
 * What stands against a new password, or undefined. Length only, in the basic policy; the strict one asks
 * for 15 (NIST SP 800-63B-4 §3.1.1.2) and refuses common passwords and ones made of what anyone can know.
 */
export function passwordFault(
  policy: PasswordPolicy,
  password: string,
  owner: PasswordOwner,
): Fault | undefined {
  const least = leastPasswordLength[policy]
  if (codePoints(password) < least)
    return { code: 'too_short', detail: `must have at least ${least} characters`, params: { limit: least } }
  if (policy === 'basic') return undefined
  const plain = plainForm(password)
  const signs = new Set(password.match(/[^\p{L}\p{N}]/gu))
  if (signs.size < leastPasswordLength.basic && isCommon(plain))
    return {
      code: 'common_password',
      detail: 'is one of the most common passwords, or made of one; choose another',
    }
  const [local = ''] = owner.email.split('@')
  const known: [text: string, of: FaultParams['made_of']][] = [
    [owner.email, 'email'],
    [local, 'email'],
    ...[owner.name, ...owner.name.split(/\s+/)].map((part): [string, 'name'] => [part, 'name']),
    ['registrar', 'service'],
  ]
  for (const [text, made_of] of known) {
    const word = plainForm(text)
    // Made of it: without it, too little is left to be a password.
    if (
      word.length >= 3 &&
      plain.includes(word) &&
      plain.replaceAll(word, '').length < leastPasswordLength.basic
    ) {
      const detail = `is made of ${knownTexts[made_of]}; choose another`
      return { code: 'guessable_password', detail, params: { made_of } }
    }
  }
  return undefined
}

/** Case, accents and all but letters and digits off. */
function plainForm(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]/gu, '')
}

/** Common as it stands, without the digits around it, or as a short piece repeated. */
function isCommon(plain: string): boolean {
  if (plain === '') return true
  const core = plain.replace(/^\d+|\d+$/g, '')
  const repeated = /^(.{1,8}?)\1+$/u.exec(plain)?.[1]
  const isRun = (text: string) =>
    'abcdefghijklmnopqrstuvwxyz'.includes(text) || '012345678901234567890'.includes(text)
  return (
    [plain, core, repeated ?? plain].some((text) => commonPasswords.has(text)) ||
    repeated !== undefined ||
    isRun(plain)
  )
}
