import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { checkNewPassword, decodePassword, readPasswordFile } from '../users/given-password.ts'
import type { PasswordOwner, PasswordPolicy } from '../users/password-policy.ts'
import { CommandError, type CommandOption } from './command.ts'

/** The option of every command that takes a password. */
export const passwordOption = {
  'password-file': { value: 'FILE', describe: 'Read the password from a file' },
} satisfies Record<string, CommandOption>

/** What `--help` says of it. */
export const passwordHelp =
  'The password is asked on the terminal, or read from standard input when that is no terminal.'

const called = 'The password'

/**
 * Reads a new password: from the file, else asked twice on the terminal without echo, else from standard input.
 * @throws ExplainedError when it is missing, mistyped, or against the policy
 */
export async function readNewPassword(
  file: string | undefined,
  policy: PasswordPolicy,
  owner: PasswordOwner,
): Promise<string> {
  const password = await passwordFrom(file)
  if (password === '') throw new CommandError('No password was given.')
  return checkNewPassword(password, called, policy, owner)
}

async function passwordFrom(file: string | undefined): Promise<string> {
  if (file !== undefined) return readPasswordFile(file, called)
  if (!process.stdin.isTTY) return decodePassword(await buffer(process.stdin), called)
  const [first, second] = await askOnTerminal(['New password: ', 'Again: '])
  if (first !== second) throw new CommandError('The two are not the same; nothing was changed.')
  return first!
}

/** Asks on the terminal; what is typed is not shown. */
async function askOnTerminal(prompts: readonly string[]): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  terminal.on('SIGINT', () => {
    terminal.close()
    process.stderr.write('\n')
    process.exit(130)
  })
  const lines = terminal[Symbol.asyncIterator]()
  const answers: string[] = []
  try {
    for (const prompt of prompts) {
      process.stderr.write(prompt)
      const { value, done } = await lines.next()
      process.stderr.write('\n')
      if (done) break
      answers.push(value)
    }
  } finally {
    terminal.close()
  }
  if (answers.length < prompts.length) throw new CommandError('No password was given.')
  return answers
}
