import { spawnSync } from 'node:child_process'

/**
 * For `describe` and `it`: skips where a command can't run, and says which. The command is tried once, so that a tool
 * that is installed and not allowed (ptrace, user namespaces) counts as missing.
 *
 * @example
 * describe('a failing disk', needs('strace', '-o', '/dev/null', 'true'), …)
 */
export function needs(program: string, ...args: string[]): { readonly skip: string | false } {
  const { status } = spawnSync(program, args, { stdio: 'ignore' })
  return { skip: status !== 0 && `needs ${[program, ...args].join(' ')} to work` }
}
