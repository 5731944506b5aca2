import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { deleteField, type FieldPatch, insertField, updateField } from '../fields/changes.ts'
import { hasOptions, type Kind, kinds } from '../fields/kinds.ts'
import { type Field, findFields, lockFields } from '../fields/queries.ts'
import { type Command, CommandError, type CommandInput, UsageError } from './command.ts'
import { instantNow, onDatabase } from './database.ts'
import { readField } from './fields.ts'
import { columns } from './usage.ts'

const list: Command = {
  name: 'field list',
  summary: "List the school's own fields, in their order",
  run: onDatabase(async (db) => {
    const found = await findFields(db)
    const fields = found.map(({ updated_at: _, ...shown }) => shown)
    const rows = fields.map(({ id, key, kind, position, sensitive, archived, label, options }) => [
      ...[id, key, kind, position].map(String),
      [sensitive ? 'sensitive' : '', archived ? 'archived' : ''].filter(Boolean).join(', '),
      options === null ? label : `${label}: ${options.join(', ')}`,
    ])
    return {
      data: { fields },
      text: columns([['ID', 'KEY', 'KIND', 'POSITION', 'STATE', 'LABEL'], ...rows]),
    }
  }),
}

const add: Command = {
  name: 'field add',
  summary: "Add a field of the school's own to the records of students, after the others",
  arguments: ['LABEL'],
  options: {
    kind: { value: 'KIND', required: true, describe: `What it holds, for good: ${kinds.join(', ')}` },
    option: { value: 'OPTION', repeatable: true, describe: 'What can be chosen; once for each' },
    key: { value: 'KEY', describe: 'What programs name it by, for good; without it, made of the label' },
    sensitive: { describe: 'Show its values to holders of students.sensitive alone' },
  },
  help: 'Example: ./registrar.js field add House --kind one_of --option Oak --option Elm',
  run: onDatabase(async (db, input) => {
    const { options, lists, flags } = input
    const kind = readKind(options.kind!)
    const chosen = lists.option?.map(readField.option)
    const given = {
      label: readField.fieldLabel(input.arguments[0]!),
      kind,
      sensitive: flags.has('sensitive'),
      ...(options.key !== undefined && { key: readField.key(options.key) }),
      ...(chosen !== undefined && { options: chosen }),
    }
    if (hasOptions(kind) !== (chosen !== undefined))
      throw new UsageError('--option is for the kinds one_of and several_of, which need it.')
    const insert = async (tx: Tx) => {
      const id = await insertField(tx, given, instantNow())
      return (await findFields(tx)).find((field) => field.id === id)!
    }
    const { id, key, label } = await write(db, input.by, insert, lockFields)
    return {
      data: { id, key, label },
      text: `Added the field ${label} with the id ${id} and the key ${key}.`,
    }
  }),
}

const archive: Command = {
  name: 'field archive',
  summary: 'Hide a field from records; what students have of it is kept',
  arguments: ['FIELD'],
  run: changed({ archived: true }, 'is archived; records no longer show it.'),
}

const restore: Command = {
  name: 'field restore',
  summary: 'Show an archived field again, with all that students have of it',
  arguments: ['FIELD'],
  run: changed({ archived: false }, 'is shown in records.'),
}

const remove: Command = {
  name: 'field remove',
  summary: 'Remove a field that no student has a value of',
  arguments: ['FIELD'],
  run: onDatabase(async (db, input) => {
    const removed = await changing(db, input, async (tx, field) => {
      await deleteField(tx, field, instantNow())
    })
    return { data: removed, text: `Removed the field ${removed.label}.` }
  }),
}

function changed(patch: FieldPatch, now: string): Command['run'] {
  return onDatabase(async (db, input) => {
    const field = await changing(db, input, (tx, field) => updateField(tx, field, patch, instantNow()))
    return { data: { ...field, ...patch }, text: `The field ${field.label} ${now}` }
  })
}

/** Changes the field that the first argument names, by its id or its key. */
async function changing(
  db: Db,
  { by, arguments: [given] }: CommandInput,
  work: (tx: Tx, field: Field) => Promise<void>,
): Promise<Pick<Field, 'id' | 'key' | 'label'>> {
  return write(
    db,
    by,
    async (tx) => {
      const field = (await findFields(tx)).find(({ id, key }) => given === String(id) || given === key)
      if (field === undefined)
        throw new CommandError(`There is no field ${given}; ./registrar.js field list lists them.`)
      await work(tx, field)
      const { id, key, label } = field
      return { id, key, label }
    },
    lockFields,
  )
}

function readKind(given: string): Kind {
  const kind = kinds.find((kind) => kind === given)
  if (kind !== undefined) return kind
  throw new UsageError(`--kind must be one of ${kinds.join(', ')}.`)
}

/** `field list|add|archive|restore|remove` */
export const fieldCommands: readonly Command[] = [list, add, archive, restore, remove]
