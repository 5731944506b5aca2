import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { atEnd, temporaryFolder } from './cleanup.ts'
import { launcher } from './server.ts'

/** For `describe` and `it`: skips where nothing makes a terminal. */
export const needsTerminal = {
  skip:
    !spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') &&
    'script is not on this machine',
}

/** What a command at a terminal is run with. */
export interface TerminalSetting {
  readonly env: NodeJS.ProcessEnv
  readonly cwd?: string
  /** The program's file. */
  readonly script?: string
  /** What a question ends with. */
  readonly question: RegExp
  /** What is typed, an answer a question. */
  readonly typed: readonly string[]
}

/** Runs `registrar.js` at a terminal of its own. @returns the exit status and all that the terminal showed */
export async function runAtTerminal(
  args: string,
  { env, cwd = temporaryFolder(), script = launcher, question, typed }: TerminalSetting,
): Promise<{ status: number; screen: string }> {
  const line = `'${process.execPath}' '${script}' ${args}`
  const child = spawn('script', ['-qec', line, '/dev/null'], { env, cwd })
  atEnd(() => child.kill('SIGKILL'))
  const answers = [...typed]
  let [screen, asked] = ['', 0]
  child.stdout.on('data', (chunk) => {
    screen += chunk
    const questions = screen.match(new RegExp(question, 'g'))?.length ?? 0
    while (asked < questions) {
      asked++
      child.stdin.write(answers.shift() ?? '')
    }
  })
  const [status] = await once(child, 'close')
  return { status, screen }
}
