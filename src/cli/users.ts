import { builtInRoles } from '../access/permissions.ts'
import { deleteSessionsOf } from '../access/sessions.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { deleteGrant, getRoleNamed, insertGrant } from '../roles/queries.ts'
import { textFormats } from '../text/formats.ts'
import { findAccounts, type Grant, getAccount as getAccountById } from '../users/accounts.ts'
import { switchAccount } from '../users/administration.ts'
import { hashPassword } from '../users/passwords.ts'
import {
  findUserByEmail,
  insertUser,
  type UserRow,
  updateDisabled,
  updatePassword,
} from '../users/queries.ts'
import { removeUser } from '../users/removal.ts'
import { type Command, CommandError, type CommandInput, type CommandResult } from './command.ts'
import { instantNow, withDatabase } from './database.ts'
import { allOrFaults, readField } from './fields.ts'
import { passwordHelp, passwordOption, readNewPassword } from './new-password.ts'
import { columns } from './usage.ts'

const changeOption = {
  'change-password': { describe: 'It must change this password before it can do anything else' },
}

const add: Command = {
  name: 'user add',
  summary: 'Make an account',
  options: {
    email: { value: 'EMAIL', required: true, describe: 'The address that the account logs in with' },
    name: { value: 'NAME', required: true, describe: 'Whose account it is' },
    role: { value: 'ROLE', describe: 'A role that it holds from the start; ./registrar.js role list' },
    ...passwordOption,
    ...changeOption,
  },
  help: `${passwordHelp}\n\nExample: ./registrar.js user add --email anna@school.example --name "Anna Berg" --role administrator`,
  run: (input) =>
    withDatabase(input, async (db) => {
      const { role, 'password-file': file } = input.options
      const [name, email] = await allOrFaults([
        async () => readField.name(input.options.name!),
        () => readNewEmail(db, input.options.email!),
        async () => void (role !== undefined && (await getRoleNamed(db, role))),
      ])
      const owner = { name, email }
      const { passwordPolicy } = input.config('PASSWORD_POLICY')
      const password = await readNewPassword(file, passwordPolicy, owner)
      const passwordHash = await hashPassword(password)
      const mustChangePassword = input.flags.has('change-password')
      const now = instantNow()
      const id = await write(db, input.by, async (db) => {
        const id = await insertUser(db, { ...owner, passwordHash, mustChangePassword }, now)
        if (role !== undefined) await insertGrant(db, id, role, now)
        return id
      })
      return {
        data: { id, ...owner, roles: role === undefined ? [] : [role] },
        text: `Made the account ${owner.email}, ${role === undefined ? 'without a role' : `as ${role}`}.`,
      }
    }),
}

/** @throws CommandError when it is no e-mail address, or has an account */
async function readNewEmail(db: Db, given: string): Promise<string> {
  const email = readField.email(given)
  if (await findUserByEmail(db, email)) throw new CommandError(`There is an account ${email} already.`)
  return email
}

const list: Command = {
  name: 'user list',
  summary: 'List the accounts and their roles',
  run: (input) =>
    withDatabase(input, async (db) => {
      const accounts = await findAccounts(db)
      const users = accounts.map(({ roles, ...account }) => ({
        ...account,
        roles: namesOf(roles),
        grants: roles,
      }))
      const rows = users.map(({ id, email, grants, disabled, name }) => [
        String(id),
        email,
        listOf(grants) || '-',
        disabled ? 'disabled' : 'active',
        name,
      ])
      return { data: { users }, text: columns([['ID', 'E-MAIL', 'ROLES', 'STATE', 'NAME'], ...rows]) }
    }),
}

const namesOf = (grants: readonly Grant[]) => grants.map(({ role }) => role)

/** `administrator`, or `viewer (classes 3, 5)` where it is held for these alone. */
const listOf = (grants: readonly Grant[]) =>
  grants.map(({ role, class_ids }) => (class_ids ? `${role} (${classesOf(class_ids)})` : role)).join(', ')

const classesOf = (ids: readonly number[]) => `${ids.length === 1 ? 'class' : 'classes'} ${ids.join(', ')}`

const grant: Command = {
  name: 'user grant',
  summary: 'Give an account a role, from its next request on',
  arguments: ['EMAIL', 'ROLE'],
  options: {
    class: {
      value: 'ID',
      repeatable: true,
      describe:
        'For this class, or these (3,5), besides those that it holds the role for; without it, for all',
    },
  },
  help: rolesHelp('user grant'),
  run: (input) => {
    const classIds = readClassIds(input.lists.class?.join())
    return changeRoles(input, async (db, { id }, role) =>
      (await insertGrant(db, id, role, instantNow(), classIds))
        ? `now holds the role ${role}`
        : `holds the role ${role} already`,
    )
  },
}

const revoke: Command = {
  name: 'user revoke',
  summary: 'Take a role from an account, from its next request on',
  arguments: ['EMAIL', 'ROLE'],
  help: rolesHelp('user revoke'),
  run: (input) =>
    changeRoles(input, async (db, { id }, role) =>
      (await deleteGrant(db, id, role, instantNow()))
        ? `no longer holds the role ${role}`
        : `did not hold the role ${role}`,
    ),
}

/** @throws CommandError */
function readClassIds(given: string | undefined): number[] | undefined {
  if (given === undefined) return undefined
  const ids = given.split(',').map((id) => id.trim())
  if (ids.every((id) => /^\d{1,15}$/.test(id))) return ids.map(Number)
  throw new CommandError('--class must be the number of a class; ./registrar.js class list shows them.')
}

function rolesHelp(command: string): string {
  return `The built-in roles: ${Object.keys(builtInRoles).join(', ')}; ./registrar.js role list lists all.\n\nExample: ./registrar.js ${command} ben@school.example viewer`
}

function changeRoles(
  input: CommandInput,
  change: (db: Db, user: UserRow, role: string) => Promise<string>,
): Promise<CommandResult> {
  return withDatabase(input, (db) =>
    write(db, input.by, async (db) => {
      const role = input.arguments[1]!
      const user = await getAccount(db, input)
      const outcome = await change(db, user, role)
      const { roles } = (await getAccountById(db, user.id)).account
      return {
        data: { id: user.id, email: user.email, roles: namesOf(roles), grants: roles },
        text: `${user.email} ${outcome}; it holds: ${listOf(roles) || 'none'}.`,
      }
    }),
  )
}

const disable: Command = {
  name: 'user disable',
  summary: 'Disable an account and end its sessions',
  arguments: ['EMAIL'],
  run: (input) => setDisabled(input, true),
}

const enable: Command = {
  name: 'user enable',
  summary: 'Enable a disabled account: it can log in again',
  arguments: ['EMAIL'],
  run: (input) => setDisabled(input, false),
}

function setDisabled(input: CommandInput, disabled: boolean): Promise<CommandResult> {
  return withDatabase(input, (db) =>
    write(db, input.by, async (db) => {
      const user = await getAccount(db, input)
      const { id, email } = user
      const isSo = (user.disabled_at !== null) === disabled
      if (!isSo) {
        await switchAccount(db, id, disabled, () => updateDisabled(db, id, disabled, instantNow()))
      }
      const state = disabled ? 'disabled' : 'enabled'
      return { data: { id, email, disabled }, text: `${email} is ${isSo ? `${state} already` : state}.` }
    }),
  )
}

const remove: Command = {
  name: 'user remove',
  summary: 'Remove an account that was never granted a role',
  arguments: ['EMAIL'],
  help: 'An account that holds or held a role stays: ./registrar.js user disable EMAIL.',
  run: (input) =>
    withDatabase(input, (db) =>
      write(db, input.by, async (db) => {
        const { id, email } = await getAccount(db, input)
        await removeUser(db, id)
        return { data: { id, email }, text: `Removed the account ${email}.` }
      }),
    ),
}

const password: Command = {
  name: 'user password',
  summary: 'Give an account a new password and end its sessions',
  arguments: ['EMAIL'],
  options: { ...passwordOption, ...changeOption },
  help: passwordHelp,
  run: (input) =>
    withDatabase(input, async (db) => {
      const user = await getAccount(db, input)
      const { id, email } = user
      const mustChange = input.flags.has('change-password')
      const { passwordPolicy } = input.config('PASSWORD_POLICY')
      const hash = await hashPassword(
        await readNewPassword(input.options['password-file'], passwordPolicy, user),
      )
      await write(db, input.by, async (db) => {
        await updatePassword(db, id, { hash, mustChange }, instantNow())
        await deleteSessionsOf(db, id)
      })
      return { data: { id, email }, text: `${email} has a new password; its sessions are ended.` }
    }),
}

/** The account that EMAIL names, the first argument. @throws CommandError */
async function getAccount(db: Db, { arguments: [given = ''] }: CommandInput): Promise<UserRow> {
  const email = textFormats.email.normalise(given)
  const user = await findUserByEmail(db, email)
  if (user) return user
  throw new CommandError(`There is no account ${email}; ./registrar.js user list lists them.`)
}

/** `user add|list|grant|revoke|disable|enable|password|remove` */
export const userCommands: readonly Command[] = [add, list, grant, revoke, disable, enable, password, remove]
