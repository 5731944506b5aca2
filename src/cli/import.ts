import type { Command } from './command.ts'
import { onDatabase } from './database.ts'
import { importOptions, readOptions } from './import-options.ts'

/** `import` */
export const importCommand: Command = {
  name: 'import',
  summary: 'Show what a CSV or XLSX file would change, or apply it',
  arguments: ['FILE'],
  options: importOptions,
  help: "Prints a plan: how many rows there are of each outcome, what is asked, which rows are refused or doubtful, and what would change. Nothing is changed without --apply, and nothing of the file stays in the database then. Exit status 1 where there is no plan, or it was not applied. Ctrl-C takes back what was applied, and ./registrar.js import undo ID does so for 30 days.\n\nExample: ./registrar.js import 'Year 7.xlsx' --answer name_order=given_first --row 12=same:7 --apply",
  async run(input) {
    const asked = readOptions(input)
    const { importFile } = await import('./import-file.ts') // what it takes is loaded for it alone
    return onDatabase((db, input) => importFile(db, input, asked))(input)
  },
}
