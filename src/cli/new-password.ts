import { buffer } from 'node:stream/consumers'
import { checkNewPassword, decodePassword, readPasswordFile } from '../users/given-password.ts'
import type { PasswordOwner, PasswordPolicy } from '../users/password-policy.ts'
import { CommandError, type CommandOption } from './command.ts'
import { askOnTerminal } from './terminal.ts'

/** The option of every command that takes a password. */
export const passwordOption = {
  'password-file': { value: 'FILE', describe: 'Read the password from a file' },
} satisfies Record<string, CommandOption>

/** What `--help` says of it. */
export const passwordHelp =
  'The password is asked on the terminal, or read from standard input when that is no terminal.'

const called = 'The password'

/**
 * Reads a new password: from the file, else asked twice on the terminal without echo, else from standard input. It is
 * judged before it is asked again.
 * @throws ExplainedError when it is missing, mistyped, or against the policy
 */
export async function readNewPassword(
  file: string | undefined,
  policy: PasswordPolicy,
  owner: PasswordOwner,
): Promise<string> {
  const check = (given: string | undefined) => {
    if (given === undefined || given === '') throw new CommandError('No password was given.')
    return checkNewPassword(given, called, policy, owner)
  }
  if (file !== undefined) return check(readPasswordFile(file, called))
  if (!process.stdin.isTTY) return check(decodePassword(await buffer(process.stdin), called))
  return askOnTerminal('hidden', async (ask) => {
    const given = await ask('New password: ')
    const password = check(given)
    const again = await ask('Again: ')
    if (again === undefined) throw new CommandError('No password was given.')
    if (again !== given) throw new CommandError('The two are not the same; nothing was changed.')
    return password
  })
}
