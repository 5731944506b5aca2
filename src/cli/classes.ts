import { lockPlatform } from '../access/platform.ts'
import { type ClassPatch, deleteClass, insertClass, updateClass } from '../classes/changes.ts'
import { findClass, findClasses, lockClass } from '../classes/queries.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { Problem } from '../problems.ts'
import { type Command, CommandError, type CommandInput } from './command.ts'
import { inOneWrite, instantNow, onDatabase } from './database.ts'
import { allOrFaults, readField } from './fields.ts'
import { columns } from './usage.ts'

const list: Command = {
  name: 'class list',
  summary: 'List the classes in their order, with the number of students in each',
  run: onDatabase(async (db) => {
    const found = await findClasses(db)
    const classes = found.map(({ updated_at: _, ...shown }) => shown)
    const rows = classes.map(({ id, position, students, archived, label }) => [
      ...[id, position, students].map(String),
      archived ? 'archived' : '',
      label,
    ])
    return { data: { classes }, text: columns([['ID', 'POSITION', 'STUDENTS', 'STATE', 'LABEL'], ...rows]) }
  }),
}

const add: Command = {
  name: 'class add',
  summary: 'Add classes, after the others: all of them or none',
  arguments: ['LABEL…'],
  help: 'Example: ./registrar.js class add "Year 7 A" "Year 7 B"',
  run: onDatabase(async (db, input) => {
    const labels = await allOrFaults(input.arguments.map((label) => async () => readField.label(label)))
    const classes = await write(db, input.by, async (db) => {
      const added: { id: number; label: string }[] = []
      for (const label of labels) added.push({ id: await insertLabel(db, label), label })
      return added
    })
    const lines = classes.map(({ id, label }) => `Added the class ${label} with the id ${id}.`)
    return { data: { classes }, text: lines.join('\n') }
  }),
}

/** @throws CommandError that names the label when another class has it */
async function insertLabel(tx: Tx, label: string): Promise<number> {
  try {
    return await insertClass(tx, { label }, instantNow())
  } catch (cause) {
    if (!(cause instanceof Problem && cause.code === 'class_label_taken')) throw cause
    const message = `Another class has the label ${label}; labels that look alike count as one. Nothing was added.`
    throw new CommandError(message, { cause })
  }
}

const rename: Command = {
  name: 'class rename',
  summary: 'Give a class another label; its students stay in it',
  arguments: ['ID', 'LABEL'],
  run: inOneWrite(async (db, input) => {
    const label = readField.label(input.arguments[1]!)
    const id = await change(db, input, { label })
    return { data: { id, label }, text: `Class ${id} is now called ${label}.` }
  }),
}

const archive: Command = {
  name: 'class archive',
  summary: 'Let no new students into a class; those in it stay',
  arguments: ['ID'],
  run: setArchived(true, 'is archived; it takes no new students'),
}

const restore: Command = {
  name: 'class restore',
  summary: 'Let new students into an archived class again',
  arguments: ['ID'],
  run: setArchived(false, 'takes new students'),
}

function setArchived(archived: boolean, outcome: string): Command['run'] {
  return inOneWrite(async (db, input) => {
    const id = await change(db, input, { archived })
    return { data: { id, archived }, text: `Class ${id} ${outcome}.` }
  })
}

const remove: Command = {
  name: 'class remove',
  summary: 'Remove a class that never had a student',
  arguments: ['ID'],
  run: inOneWrite(async (db, input) => {
    const id = readId(input.arguments[0]!)
    await lockPlatform(db)
    const found = await findClass(db, id, 'all')
    if (found === undefined) throw noSuchClass(id)
    await deleteClass(db, found, instantNow())
    return { data: { id }, text: `Removed class ${id}.` }
  }),
}

/** Changes the class that the first argument names. @returns its id */
async function change(db: Tx, { arguments: [given] }: CommandInput, patch: ClassPatch): Promise<number> {
  const id = readId(given!)
  await lockClass(db, id)
  const before = await findClass(db, id, 'all')
  if (before === undefined) throw noSuchClass(id)
  await updateClass(db, before, patch, instantNow())
  return id
}

function readId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new CommandError('ID must be the number of a class; ./registrar.js class list shows it.')
}

function noSuchClass(id: number): CommandError {
  return new CommandError(`There is no class ${id}; ./registrar.js class list lists them.`)
}

/** `class list|add|rename|archive|restore|remove` */
export const classCommands: readonly Command[] = [list, add, rename, archive, restore, remove]
