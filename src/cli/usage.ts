import type { Command } from './command.ts'

function usageLine({ name, arguments: named = [], options = {} }: Command): string {
  const required = Object.entries(options).flatMap(([option, { required, value }]) =>
    required ? `--${option} ${value}` : [],
  )
  const optional = Object.keys(options).length > required.length ? ['[options]'] : []
  return ['./registrar.js', name, ...named, ...required, ...optional].join(' ')
}

/** What `--help` says of one command. */
export function helpText(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, { value, describe }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    describe,
  ])
  if (!command.printsItself) options.push(['--json', 'Print the result as JSON'])
  return [
    command.summary,
    `Usage: ${usageLine(command)}`,
    ...(options.length === 0 ? [] : [`Options:\n${columns(options)}`]),
    ...(command.help === undefined ? [] : [command.help]),
  ].join('\n\n')
}

/** All commands, or those of one group: `user`. */
export function overviewText(commands: readonly Command[], group: string | undefined): string {
  const ofGroup = commands.filter(({ name }) => name.startsWith(`${group} `))
  const shown = ofGroup.length > 0 ? ofGroup : commands
  const lines = columns(shown.map((command) => [usageLine(command), command.summary]))
  return `Commands:\n${lines}\n\nEach takes --help, and all but serve and demo take --json. --version tells the version. Settings come from the environment and .env; see docs/settings.md.`
}

/** Rows of texts under one another, each column as wide as its widest text, and the last as it is. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  return rows
    .map(
      (row) =>
        `  ${row.map((text, i) => (i === row.length - 1 ? text : text.padEnd(widths[i]!))).join('  ')}`,
    )
    .join('\n')
}
