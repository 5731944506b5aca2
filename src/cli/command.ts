import type { SettingName } from '../config/names.ts'
import type { Config } from '../config.ts'
import type { Author } from '../events/write.ts'
import { ExplainedError } from '../problems.ts'

/** An option of a command. One with a `value` takes a text; one without is there or not. */
export interface CommandOption {
  readonly describe: string
  /** What stands for the text in `--help`: `EMAIL`. */
  readonly value?: string
  readonly required?: boolean
  /** It may stand more than once: `lists` has its texts. */
  readonly repeatable?: boolean
}

/** The input of a command: its arguments and its environment. */
export interface CommandInput {
  /** The positional arguments, as `arguments` names them. */
  readonly arguments: readonly string[]
  /** The options that take a text, by name. */
  readonly options: Readonly<Record<string, string | undefined>>
  /** The texts of the repeatable options that were given, by name. */
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>
  /** The options without a text that were given. */
  readonly flags: ReadonlySet<string>
  /** Who writes: this command. */
  readonly by: Author
  /** Reads the configuration: all of it, or these settings alone with the others at their defaults. */
  readonly config: (...settings: readonly SettingName[]) => Config
  /** Names in `.env` and in the environment that may be misspelt settings: a sentence each. */
  readonly warnings: () => readonly string[]
  /** What Node was started with, from the environment and the command line. */
  readonly nodeOptions: string
}

/** What a command says: `data` for programs (`--json`), and the same as text for people. */
export interface CommandResult {
  readonly data: unknown
  readonly text: string
  /** The result is a failure: exit status 1. */
  readonly failed?: boolean
}

/** One command of `./registrar.js`. */
export interface Command {
  /** As it is typed: `user add`. */
  readonly name: string
  readonly summary: string
  /** The names of the positional arguments; the last may end in `…`: one of them or more. */
  readonly arguments?: readonly string[]
  readonly options?: Readonly<Record<string, CommandOption>>
  /** More for `--help`: what it does besides, an example. */
  readonly help?: string
  /** It prints for itself while it runs: it returns nothing, and has no `--json`. */
  readonly printsItself?: boolean
  run(input: CommandInput): Promise<CommandResult | undefined>
}

/** A wrong call: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A failure that the message explains to people: exit status 1, and no stack. */
export class CommandError extends ExplainedError {
  override readonly name = 'CommandError'
}
