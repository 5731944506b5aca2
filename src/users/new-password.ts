import { clientOf } from '../access/clients.ts'
import type { Config } from '../config.ts'
import { invalidField } from '../problems.ts'
import type { Parts } from './parts.ts'
import { type PasswordOwner, passwordFault } from './password-policy.ts'
import { hashPassword } from './passwords.ts'

/** What a new password over HTTP is checked against, and waits in. */
type NewPasswordParts = Pick<Parts, 'hashingLine'> & Pick<Config, 'passwordPolicy'>

/**
 * Hashes a new password, in the turn of the client that sends it.
 * @param count counts the request, in its turn and before the hash
 * @throws Problem validation_failed when the policy refuses it, or overloaded
 */
export async function hashNewPassword(
  { passwordPolicy, hashingLine }: NewPasswordParts,
  address: string,
  password: string,
  owner: PasswordOwner,
  count?: () => Promise<void>,
): Promise<string> {
  const fault = passwordFault(passwordPolicy, password, owner)
  if (fault) throw invalidField('/password', fault)
  return hashingLine.run({ client: clientOf(address) }, async () => {
    await count?.()
    return hashPassword(password)
  })
}
