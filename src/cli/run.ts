import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { type Command, UsageError } from './command.ts'
import { commands } from './commands.ts'

/** Errors whose message was written for the person at the terminal. */
const explained = new Set([
  'CommandError',
  'ConfigError',
  'DatabaseFileError',
  'SchemaError',
  'FirstAdministratorError',
  'LastAdministratorError',
  'Problem',
])

/** Runs what the command line says. Exit status: 0 done, 1 failed, 2 wrongly called. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const command = findCommand(argv)
  const isAskingForHelp = argv.includes('--help') || argv.includes('-h')
  if (command === undefined) {
    const overview = overviewText(argv)
    if (isAskingForHelp || argv[0] === 'help') return void console.log(overview)
    console.error(argv.length === 0 ? overview : `There is no command "${argv.join(' ')}".\n\n${overview}`)
    process.exitCode = 2
    return
  }
  if (isAskingForHelp) return void console.log(helpText(command))
  try {
    const { json, ...input } = parse(command, argv.slice(command.name.split(' ').length))
    const result = await command.run({ ...input, config: () => readConfig(process.env) })
    if (result) console.log(json ? JSON.stringify(result.data, null, 2) : result.text)
  } catch (error) {
    process.exitCode = reportFailure(command, error)
  }
}

function findCommand(argv: readonly string[]): Command | undefined {
  const words = argv.filter((argument) => !argument.startsWith('-'))
  return commands.find(({ name }) =>
    name.split(' ').every((word, i) => words[i] === word && argv[i] === word),
  )
}

function parse(command: Command, args: readonly string[]) {
  const named = command.arguments ?? []
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...command.options, json: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const least = named.filter((name) => !name.endsWith('?')).length
    if (positionals.length < least) throw new UsageError(`${named[positionals.length]} is missing.`)
    if (positionals.length > named.length) throw new UsageError('There are more arguments than it takes.')
    const { json, ...options } = values as Record<string, string | boolean | undefined>
    return { arguments: positionals, options, json: json === true }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message)
  }
}

function reportFailure(command: Command, error: unknown): 1 | 2 {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${helpText(command)}`)
    return 2
  }
  console.error(error instanceof Error && explained.has(error.name) ? error.message : error)
  return 1
}

function usageLine({ name, arguments: named = [], options = {} }: Command): string {
  const optional = Object.keys(options).length > 0 ? ' [options]' : ''
  const positional = named.map((argument) =>
    argument.endsWith('?') ? ` [${argument.slice(0, -1)}]` : ` ${argument}`,
  )
  return `./registrar.js ${name}${positional.join('')}${optional}`
}

function helpText(command: Command): string {
  const parts = [command.summary, `Usage: ${usageLine(command)} [--json]`, command.help]
  return parts.filter(Boolean).join('\n\n')
}

/** All commands, or those that begin with the first word. */
function overviewText([group]: readonly string[]): string {
  const ofGroup = commands.filter(({ name }) => name.startsWith(`${group} `))
  const shown = ofGroup.length > 0 ? ofGroup : commands
  const width = Math.max(...shown.map((command) => usageLine(command).length))
  const lines = shown.map((command) => `  ${usageLine(command).padEnd(width)}  ${command.summary}`)
  return `Commands:\n${lines.join('\n')}\n\nEach takes --help and --json. Settings come from the environment and .env; see README.md.`
}
