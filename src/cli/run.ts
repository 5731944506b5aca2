import { inspect } from 'node:util'
import type { SettingName } from '../config/names.ts'
import { nameWarnings } from '../config/settings-file.ts'
import { readConfig } from '../config.ts'
import { privilegeRefusal } from '../db/privileges.ts'
import { databaseFaultOf } from '../db/violations.ts'
import { version } from '../health/version.ts'
import { ExplainedError } from '../problems.ts'
import { asCalled } from './called.ts'
import { type Command, type CommandResult, UsageError } from './command.ts'
import { parse } from './command-line.ts'
import { commands } from './commands.ts'
import { helpText, overviewText } from './usage.ts'

/**
 * Runs what the command line says. Exit status: 0 done, 1 failed, 2 wrongly called.
 * @param file the text of `.env`, whose settings are in the environment
 */
export async function runCommand(argv: readonly string[], file: string | undefined): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return // the reader, `head` say, has seen enough
    process.exitCode = 1
    console.error(
      `Standard output can't be written: ${error.message}. What the command did is done all the same.`,
    )
  })
  if (argv.includes('--version')) return void console.log(version)
  const isHelp = argv[0] === 'help'
  const words = isHelp ? argv.slice(1) : argv
  const command = findCommand(words)
  if (isHelp || argv.includes('--help') || argv.includes('-h'))
    return void console.log(typable(command ? helpText(command) : overviewText(commands, words[0])))
  const asJson = argv.includes('--json') && command?.printsItself !== true
  try {
    if (command === undefined) throw new UsageError(unknownCommand(argv))
    const input = parse(command, argv.slice(command.name.split(' ').length))
    const nodeOptions = [process.env.NODE_OPTIONS, ...process.execArgv].join(' ')
    const by = { command: command.name }
    const config = (...only: readonly SettingName[]) =>
      readConfig(process.env, { file, ...(only.length > 0 && { only }) })
    const warnings = () => nameWarnings(Object.keys(process.env), file ?? '')
    const result = await command.run({ ...input, by, config, warnings, nodeOptions })
    if (result) print(result, asJson)
  } catch (error) {
    process.exitCode = error instanceof UsageError ? 2 : 1
    const explained = typable(explain(error))
    if (asJson) console.error(JSON.stringify({ error: explained, status: process.exitCode }))
    else console.error(error instanceof UsageError ? typable(withUsage(error, command, argv)) : explained)
  }
}

function print({ data, text, failed = false }: CommandResult, asJson: boolean): void {
  if (asJson) console.log(JSON.stringify(data, null, 2))
  else if (failed) console.error(typable(text))
  else console.log(text)
  if (failed) process.exitCode = 1
}

/** The text with its calls as this program was called. */
function typable(text: string): string {
  const call = { script: process.argv[1]!, folder: process.cwd(), npmScript: process.env.npm_lifecycle_event }
  return asCalled(text, call)
}

function findCommand(argv: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, i) => argv[i] === word))
}

function unknownCommand(argv: readonly string[]): string {
  return argv.length === 0 ? 'A command is missing.' : `There is no command "${argv.join(' ')}".`
}

function withUsage({ message }: UsageError, command: Command | undefined, argv: readonly string[]): string {
  return `${message}\n\n${command ? helpText(command) : overviewText(commands, argv[0])}`
}

/** What went wrong, in a sentence; the stack too when nobody foresaw it. */
function explain(error: unknown): string {
  if (error instanceof ExplainedError || error instanceof UsageError) return error.message
  if (databaseFaultOf(error) !== undefined)
    return `The database can't be used: ${(error as Error).message}. Try again; if it stays so, run: ./registrar.js check`
  return privilegeRefusal(error) ?? inspect(error)
}
