import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { isDatabaseUnavailable } from '../db/violations.ts'
import { type Command, type CommandInput, type CommandResult, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { helpText, overviewText } from './usage.ts'

/** Errors whose message was written for the person at the terminal. */
const explained = new Set([
  'CommandError',
  'ConfigError',
  'DatabaseFileError',
  'SchemaError',
  'FirstAdministratorError',
  'LastAdministratorError',
  'ClassError',
  'CopyError',
  'Problem',
])

/** Runs what the command line says. Exit status: 0 done, 1 failed, 2 wrongly called. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1 // EPIPE: the reader, `head` say, has seen enough
  })
  const command = findCommand(argv)
  const isAskingForHelp = argv.includes('--help') || argv.includes('-h')
  if (command === undefined) {
    const overview = overviewText(commands, argv[0])
    if (isAskingForHelp || argv[0] === 'help') return void console.log(overview)
    console.error(argv.length === 0 ? overview : `There is no command "${argv.join(' ')}".\n\n${overview}`)
    process.exitCode = 2
    return
  }
  if (isAskingForHelp) return void console.log(helpText(command))
  try {
    const { json, ...input } = parse(command, argv.slice(command.name.split(' ').length))
    const result = await command.run({ ...input, by: { command: command.name }, config: configOf })
    if (result) print(result, json)
  } catch (error) {
    process.exitCode = reportFailure(command, error)
  }
}

function configOf(...settings: readonly string[]) {
  if (settings.length === 0) return readConfig(process.env)
  return readConfig(Object.fromEntries(settings.map((name) => [name, process.env[name]])))
}

function print({ data, text, failed = false }: CommandResult, json: boolean): void {
  if (json) console.log(JSON.stringify(data, null, 2))
  else if (failed) console.error(text)
  else console.log(text)
  if (failed) process.exitCode = 1
}

function findCommand(argv: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, i) => argv[i] === word))
}

type Parsed = Omit<CommandInput, 'by' | 'config'> & { readonly json: boolean }

function parse({ arguments: named = [], options: known = {} }: Command, args: readonly string[]): Parsed {
  const { values, positionals } = parseOrExplain(known, args)
  const options: Record<string, string> = {}
  const flags = new Set<string>()
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') options[name] = value
    else flags.add(name)
  }
  for (const [name, { required }] of Object.entries(known)) {
    if (required && options[name] === undefined) throw new UsageError(`--${name} is missing.`)
  }
  if (positionals.length < named.length) throw new UsageError(`${named[positionals.length]} is missing.`)
  if (positionals.length > named.length) throw new UsageError('There are more arguments than it takes.')
  return { arguments: positionals, options, flags, json: flags.has('json') }
}

function parseOrExplain(known: NonNullable<Command['options']>, args: readonly string[]) {
  const types = Object.entries(known).map(
    ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  )
  try {
    return parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(types), json: { type: 'boolean' } },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function reportFailure(command: Command, error: unknown): 1 | 2 {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${helpText(command)}`)
    return 2
  }
  if (isDatabaseUnavailable(error)) {
    console.error(
      `The database can't be used: ${(error as Error).message}. Try again; if it stays so, run: ./registrar.js check`,
    )
  } else console.error(error instanceof Error && explained.has(error.name) ? error.message : error)
  return 1
}
