import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Whether somebody is there to answer: both standard input and standard output are a terminal. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/** Asks, and returns the line that was typed; undefined when the terminal has ended. */
export type Ask = (question: string) => Promise<string | undefined>

/** Lets `work` ask on the terminal. Ctrl-C ends the process with 130. */
export async function askOnTerminal<Result>(
  shown: 'shown' | 'hidden',
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = shown === 'shown' ? process.stdout : nowhere
  const terminal = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  terminal.on('SIGINT', () => {
    terminal.close()
    process.stderr.write('\n')
    process.exit(130)
  })
  const lines = terminal[Symbol.asyncIterator]()
  try {
    return await work(async (question) => {
      if (shown === 'shown') terminal.setPrompt(question)
      if (shown === 'shown') terminal.prompt()
      else process.stderr.write(question)
      const { value, done } = await lines.next()
      if (shown === 'hidden') process.stderr.write('\n')
      return done ? undefined : value
    })
  } finally {
    terminal.close()
  }
}

/** Asks for a yes on the terminal; anything else is a no. */
export async function isAgreed(question: string): Promise<boolean> {
  const answer = await askOnTerminal('shown', (ask) => ask(`${question} (y/N) `))
  return /^\s*y(es)?\s*$/i.test(answer ?? '')
}
