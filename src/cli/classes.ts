import { deleteClass, findClasses, insertClass, updateClassLabel } from '../classes/queries.ts'
import { write } from '../events/write.ts'
import { type Command, CommandError } from './command.ts'
import { instantNow, withDatabase } from './database.ts'
import { readField } from './fields.ts'
import { columns } from './usage.ts'

const list: Command = {
  name: 'class list',
  summary: 'List the classes, with the number of students in each',
  run: (input) =>
    withDatabase(input, async (db) => {
      const classes = await findClasses(db, input.by)
      const rows = classes.map(({ id, label, students }) => [String(id), String(students), label])
      return { data: { classes }, text: columns([['ID', 'STUDENTS', 'LABEL'], ...rows]) }
    }),
}

const add: Command = {
  name: 'class add',
  summary: 'Add a class',
  arguments: ['LABEL'],
  help: 'Example: ./registrar.js class add "Year 7 B"',
  run: (input) =>
    withDatabase(input, async (db) => {
      const label = readField.label(input.arguments[0]!)
      const id = await write(db, input.by, (db) => insertClass(db, input.by, label, instantNow()))
      return { data: { id, label }, text: `Added the class ${label} with the id ${id}.` }
    }),
}

const rename: Command = {
  name: 'class rename',
  summary: 'Give a class another label; its students stay in it',
  arguments: ['ID', 'LABEL'],
  run: (input) =>
    withDatabase(input, async (db) => {
      const id = readId(input.arguments[0]!)
      const label = readField.label(input.arguments[1]!)
      const isThere = await write(db, input.by, (db) =>
        updateClassLabel(db, input.by, id, label, instantNow()),
      )
      if (!isThere) throw noSuchClass(id)
      return { data: { id, label }, text: `Class ${id} is now called ${label}.` }
    }),
}

const remove: Command = {
  name: 'class remove',
  summary: 'Remove a class that has no students',
  arguments: ['ID'],
  run: (input) =>
    withDatabase(input, async (db) => {
      const id = readId(input.arguments[0]!)
      if (!(await write(db, input.by, (db) => deleteClass(db, input.by, id)))) throw noSuchClass(id)
      return { data: { id }, text: `Removed class ${id}.` }
    }),
}

function readId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new CommandError('ID must be the number of a class; ./registrar.js class list shows it.')
}

function noSuchClass(id: number): CommandError {
  return new CommandError(`There is no class ${id}; ./registrar.js class list lists them.`)
}

/** `class list|add|rename|remove` */
export const classCommands: readonly Command[] = [list, add, rename, remove]
