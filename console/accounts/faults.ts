import type { FieldFault } from '../../client/src/index.ts'
import { t } from '../language/language.ts'
import { texts } from './texts.ts'

/** What is wrong with an account, where one says more of it than of any field; the same above the form and in it. */
export function faultSaid({ pointer, code }: FieldFault): string | undefined {
  const { needsClass, needsScope, badEmail } = texts()
  if (pointer.startsWith('/roles/') && code === 'too_few') return needsClass
  if (pointer.startsWith('/roles/') && code === 'not_allowed') return needsScope
  if (pointer !== '/email') return undefined
  if (code === 'taken') return t().problems.email_taken
  return code === 'required' ? undefined : badEmail
}
