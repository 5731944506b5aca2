import { findClasses } from '../classes/queries.ts'
import type { Db } from '../db/tables.ts'
import { textFormats } from '../text/formats.ts'
import { uniqueKey } from '../text/normalise.ts'
import type { Grant } from '../users/accounts.ts'
import { findUserByEmail, type UserRow } from '../users/queries.ts'
import { CommandError, type CommandInput, type CommandOption } from './command.ts'

/** The account that EMAIL names, the first argument. @throws CommandError */
export async function getNamedAccount(
  db: Db,
  { arguments: [given = ''] }: Pick<CommandInput, 'arguments'>,
): Promise<UserRow> {
  const email = textFormats.email.normalise(given)
  const user = await findUserByEmail(db, email)
  if (user) return user
  throw new CommandError(`There is no account ${email}; ./registrar.js user list lists them.`)
}

/** The names of the roles that are held. */
export const namesOf = (grants: readonly Grant[]) => grants.map(({ role }) => role)

/** `administrator`, or `viewer (classes 3, 5)` where it is held for these alone. */
export const listOf = (grants: readonly Pick<Grant, 'role' | 'class_ids'>[]) =>
  grants.map(({ role, class_ids }) => (class_ids ? `${role} (${classesOf(class_ids)})` : role)).join(', ')

const classesOf = (ids: readonly number[]) => `${ids.length === 1 ? 'class' : 'classes'} ${ids.join(', ')}`

/** The option of the commands that grant a role for named classes. */
export const classOption = {
  class: {
    value: 'CLASS',
    repeatable: true,
    describe: "For this class, by its id or label, or these: 3,5 or 'Class 1'; without it, for all",
  },
} satisfies Record<string, CommandOption>

/**
 * The ids of the classes that each text names: by id, by label, or several with commas between.
 * @throws CommandError that names all that are none, or a text that names two
 */
export async function readClasses(db: Db, given: readonly string[]): Promise<number[]> {
  const classes = await findClasses(db)
  const key = (label: string) => uniqueKey(textFormats['class-label'].normalise(label))
  const byKey = new Map(classes.map((one) => [key(one.label), one]))
  const labelled = (text: string) => byKey.get(key(text))
  const unknown: string[] = []
  const ids = given
    .flatMap((text) => (labelled(text) ? [text] : text.split(',')))
    .map((text) => text.trim())
    .flatMap((text) => {
      const byId = classes.find(({ id }) => String(id) === text)
      const byLabel = labelled(text)
      if (byId !== undefined && byLabel !== undefined && byId.id !== byLabel.id)
        throw new CommandError(
          `--class ${text} names two classes: ${byId.label} by its id, and the class with the id ${byLabel.id} by its label. Give the first by its label, or the second by its id.`,
        )
      const found = byId ?? byLabel
      if (found === undefined) unknown.push(text)
      return found === undefined ? [] : [found.id]
    })
  if (unknown.length === 0) return [...new Set(ids)].sort((a, b) => a - b)
  throw new CommandError(`There is no class ${unknown.join(', ')}; ./registrar.js class list lists them.`)
}
