import { parseArgs } from 'node:util'
import { type Command, type CommandInput, type CommandOption, UsageError } from './command.ts'

type Parsed = Pick<CommandInput, 'arguments' | 'options' | 'lists' | 'flags'>

/** Parses the arguments after a command's name. @throws UsageError that says what would be right */
export function parse(command: Command, args: readonly string[]): Parsed {
  const { arguments: named = [], options: declared = {}, printsItself = false } = command
  const known: Readonly<Record<string, CommandOption>> = printsItself
    ? declared
    : { ...declared, json: { describe: '' } }
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(known).map(([name, option]) => [name, { type: typeOf(option) }]),
    ),
    strict: false, // the sentences are ours
    tokens: true,
  })
  const positionals: string[] = []
  const options: Record<string, string> = {}
  const lists: Record<string, string[]> = {}
  const flags = new Set<string>()
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const value = checkOption(known, token)
    if (value === undefined) flags.add(token.name)
    else if (known[token.name]?.repeatable) lists[token.name] = [...(lists[token.name] ?? []), value]
    else options[token.name] = value
  }
  const missing = [
    ...named.slice(positionals.length).map((name) => name.replace('…', '')),
    ...Object.keys(declared).flatMap((name) =>
      declared[name]!.required && options[name] === undefined ? `--${name}` : [],
    ),
  ]
  if (missing.length > 0)
    throw new UsageError(`${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} missing.`)
  const isOpenEnded = named.at(-1)?.endsWith('…')
  if (positionals.length > named.length && !isOpenEnded)
    throw new UsageError('There are more arguments than it takes.')
  return { arguments: positionals, options, lists, flags }
}

/** `EMAIL`, `EMAIL and ROLE`, `A, B and C` */
function listed(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

function typeOf({ value }: CommandOption): 'boolean' | 'string' {
  return value === undefined ? 'boolean' : 'string'
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function checkOption(known: Readonly<Record<string, CommandOption>>, token: OptionToken): string | undefined {
  const { name, rawName, value, inlineValue = false } = token
  const option = Object.hasOwn(known, name) && rawName.startsWith('--') ? known[name] : undefined
  if (option === undefined) {
    const advice = ' A password is never an argument: use --password-file or standard input.'
    throw new UsageError(`There is no option ${rawName}.${name === 'password' ? advice : ''}`)
  }
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`)
  } else if (value === undefined || (!inlineValue && /^-./.test(value))) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}.`)
  }
  return value
}
