import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../config.ts'

/** What a command is given: its arguments, and the world it acts in. */
export interface CommandInput {
  /** The positional arguments, as many as `arguments` names. */
  readonly arguments: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly config: () => Config
}

/** What a command says: `data` for programs (`--json`), and the same as text for people. */
export interface CommandResult {
  readonly data: unknown
  readonly text: string
}

/** One command of `./registrar.js`. */
export interface Command {
  /** As it is typed: `user add`. */
  readonly name: string
  readonly summary: string
  /** The names of the positional arguments; one that ends in `?` may be left out. */
  readonly arguments?: readonly string[]
  readonly options?: ParseArgsOptionsConfig
  /** More for `--help`: what the options mean, an example. */
  readonly help?: string
  /** A command that prints for itself while it runs returns nothing. */
  run(input: CommandInput): Promise<CommandResult | undefined>
}

/** A wrong call: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A failure that the message explains to people: exit status 1, and no stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
