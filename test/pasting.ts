import { spawnSync } from 'node:child_process'

/** Whether zsh is on this machine. */
export const hasZsh = spawnSync('zsh', ['--version']).error === undefined

/**
 * The lines that an interactive zsh does not read as `sh` does: it has no comments, it refuses a glob that matches no
 * file (`?` in a URL), and it takes `!` for a call of the history, in double quotes too.
 */
export function zshTraps(session: string): string[] {
  const withoutLiterals = session.replaceAll(/'[^']*'/g, "''").replaceAll('\\\n', ' ')
  return withoutLiterals.split('\n').filter((line) => {
    const bare = line.replaceAll(/"[^"]*"/g, '""')
    return /(^|\s)#/.test(bare) || /[?*[\]^]/.test(bare) || line.includes('!')
  })
}
