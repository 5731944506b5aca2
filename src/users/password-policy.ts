import type { Fault, FaultParams } from '../problems.ts'
import { codePoints } from '../text/normalise.ts'
import { fold } from '../text/search-words.ts'
import { commonPasswords } from './common-passwords.ts'

export type PasswordPolicy = 'basic' | 'strict'

/** In code points. */
export const leastPasswordLength = { basic: 8, strict: 15 } as const

const knownTexts: Record<FaultParams['made_of'], string> = {
  email: 'the e-mail address',
  name: 'the name',
  service: "the service's name",
}

/** The account that the password is for. */
export interface PasswordOwner {
  readonly name: string
  readonly email: string
}

/**
 * Why a new password is refused, or undefined. The basic policy checks only the length. The strict policy asks for 15
 * characters (NIST SP 800-63B-4 §3.1.1.2), and refuses common passwords and those made of what anyone can know.
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
    // Made of it: what is left without it is too short for a password.
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

/** Without case, accents, and anything but letters and digits. */
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
