import { type Command, UsageError } from './command.ts'
import { onDatabase } from './database.ts'

/** `import undo` */
export const importUndo: Command = {
  name: 'import undo',
  summary: 'Take back an import that was applied, for 30 days',
  arguments: ['ID'],
  help: 'Students whom the import created and nobody touched since go, and changed cells go back. What was changed since stays, and is listed. An undo that is begun goes to its end, also after Ctrl-C.\n\n./registrar.js import list --state applied shows the IDs.\n\nExample: ./registrar.js import undo 12',
  async run(input) {
    const [id = ''] = input.arguments
    if (!/^[1-9]\d{0,14}$/.test(id)) throw new UsageError('ID must be the number of an import, such as 12.')
    const { undoByCommand } = await import('./import-undoing.ts') // what it takes is loaded for it alone
    return onDatabase((db, input) => undoByCommand(db, input.by, Number(id)))(input)
  },
}
