import { isSetting, type SettingName, settingNear } from './names.ts'

/** A line of `.env`, from 1. */
interface Line {
  readonly number: number
  /** A setting's or another name; undefined where the line is neither setting nor comment. */
  readonly name: string | undefined
  /** Whether a `#` with no blank before it cuts the value short. */
  readonly isCut: boolean
  /** Whether a quotation mark that is not closed in its line takes settings below it away, or may have been meant to. */
  readonly isOpen: boolean
}

/** As Node reads `.env`: a comment, or a name and a value that in quotes may span lines, or neither. */
const line =
  /(?<=^|\n)[ \t]*(?:(?:#[^\n]*)?|(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:(?:"[^"]*"|'[^']*'|`[^`]*`)[^\n]*|([^\n]*))|([^\n]+))(?=\n|$)/g

/** What Node itself and the driver of PostgreSQL read from the environment. */
const ofOthers = /^(NODE_|UV_|SSL_CERT_|PG)/

/** The fewest letters of a name in the environment that is held for a setting: many programs share it. */
const leastInEnvironment = 8

function linesOf(file: string): Line[] {
  const found: Line[] = []
  for (const { index, 0: whole, 1: name, 2: unquoted = '', 3: other } of file.matchAll(line))
    if (name !== undefined || other !== undefined)
      found.push({
        number: file.slice(0, index).split('\n').length,
        name,
        isCut: /^[^#]*[^\s#]#/.test(unquoted),
        isOpen: name !== undefined && (/^["'`]/.test(unquoted) || takesSettings(name, whole)),
      })
  return found
}

/** Whether a value has lines where none may: a setting has one, and other programs' values hold no setting. */
function takesSettings(name: string, whole: string): boolean {
  const [, ...below] = whole.split('\n')
  const names = below.map((line) => /^[ \t]*(?:export[ \t]+)?([A-Z_]+)[ \t]*=/.exec(line)?.[1] ?? '')
  return below.length > 0 && (isSetting(name) || names.some(isSetting))
}

/**
 * The faults of `.env`: a misspelt setting, a setting twice or cut short, lines that are neither setting nor comment,
 * and values whose quotation mark, open at the end of the line, takes the settings below away.
 * No value is said.
 * @param concerns whether the caller reads this setting
 */
export function fileFaults(file: string, concerns: (name: SettingName) => boolean): string[] {
  const lines = linesOf(file)
  const faults: string[] = []
  const names = new Set(lines.flatMap(({ name }) => name ?? []))
  for (const name of names) {
    const setting = isSetting(name) ? name : nearOf(name)
    if (setting === undefined || !concerns(setting)) continue
    const those = lines.filter((line) => line.name === name)
    const at = those.map(({ number }) => number)
    if (setting !== name)
      faults.push(
        `${name} in .env is not a setting. Did you mean ${setting}? Correct line ${at.join(', ')}, or remove it.`,
      )
    else if (at.length > 1)
      faults.push(`${name} stands more than once in .env, in lines ${at.join(', ')}. Keep one of them.`)
    else if (those[0]?.isCut)
      faults.push(
        `${name} in .env has a # in its value, in line ${at[0]}, and what follows is not read. Put the value in quotes, or a blank before a comment.`,
      )
  }
  for (const { name, number } of lines.filter(({ isOpen }) => isOpen))
    faults.push(
      `The value of ${name} in .env begins with a quotation mark that is not closed in its line, ${number}, and takes the lines below. Close it there.`,
    )
  const others = lines.filter(({ name }) => name === undefined).map(({ number }) => number)
  if (others.length > 0)
    faults.push(
      `.env holds what is neither NAME=value nor a comment, in line ${others.join(', ')}. Correct it, or write # before it.`,
    )
  return faults
}

/** What may be a mistake: names in `.env` that are unknown, and names in the environment that are near to a setting. */
export function nameWarnings(environment: readonly string[], file: string): string[] {
  const inFile = new Set(linesOf(file).flatMap(({ name }) => name ?? []))
  const unknown = [...inFile].filter(
    (name) => !isSetting(name) && nearOf(name) === undefined && !ofOthers.test(name),
  )
  const near = environment.flatMap((name) => {
    const setting =
      name.length < leastInEnvironment || inFile.has(name) || isSetting(name) ? undefined : nearOf(name)
    return setting === undefined
      ? []
      : `${name} in the environment is not a setting. Did you mean ${setting}? If so, correct it.`
  })
  return [
    ...unknown.map(
      (name) => `${name} in .env is not a setting of Registrar. Remove it, unless another program reads it.`,
    ),
    ...near,
  ]
}

function nearOf(name: string): SettingName | undefined {
  return ofOthers.test(name) ? undefined : settingNear(name)
}
