import { builtInRoles } from '../access/permissions.ts'
import { deleteSessionsOf } from '../access/sessions.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { deleteGrant, findGrants, getRoleId, insertGrant, keepAnAdministrator } from '../roles/queries.ts'
import { textFormats } from '../text/formats.ts'
import { hashPassword } from '../users/passwords.ts'
import {
  findUserByEmail,
  findUsers,
  insertUser,
  type UserRow,
  updateDisabled,
  updatePasswordHash,
} from '../users/queries.ts'
import { type Command, CommandError, type CommandInput, type CommandResult } from './command.ts'
import { instantNow, withDatabase } from './database.ts'
import { allOrFaults, readField } from './fields.ts'
import { passwordHelp, passwordOption, readNewPassword } from './new-password.ts'
import { columns } from './usage.ts'

const add: Command = {
  name: 'user add',
  summary: 'Make an account',
  options: {
    email: { value: 'EMAIL', required: true, describe: 'The address that the account logs in with' },
    name: { value: 'NAME', required: true, describe: 'Whose account it is' },
    role: { value: 'ROLE', describe: 'A role that it holds from the start; ./registrar.js role list' },
    ...passwordOption,
  },
  help: `${passwordHelp}\n\nExample: ./registrar.js user add --email anna@school.example --name "Anna Berg" --role administrator`,
  run: (input) =>
    withDatabase(input, async (db) => {
      const { role, 'password-file': file } = input.options
      const [name, email] = await allOrFaults([
        async () => readField.name(input.options.name!),
        () => readNewEmail(db, input.options.email!),
        async () => void (role !== undefined && (await getRoleId(db, role))),
      ])
      const owner = { name, email }
      const { passwordPolicy } = input.config('PASSWORD_POLICY')
      const password = await readNewPassword(file, passwordPolicy, owner)
      const passwordHash = await hashPassword(password)
      const now = instantNow()
      const id = await write(db, input.by, async (db) => {
        const id = await insertUser(db, input.by, { ...owner, passwordHash }, now)
        if (role !== undefined) await insertGrant(db, input.by, id, role, now)
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
      const users = await findUsers(db)
      const rows = users.map(({ id, email, roles, disabled, name }) => [
        String(id),
        email,
        roles.join(', ') || '-',
        disabled ? 'disabled' : 'active',
        name,
      ])
      return { data: { users }, text: columns([['ID', 'E-MAIL', 'ROLES', 'STATE', 'NAME'], ...rows]) }
    }),
}

const grant: Command = {
  name: 'user grant',
  summary: 'Give an account a role, from its next request on',
  arguments: ['EMAIL', 'ROLE'],
  help: rolesHelp('user grant'),
  run: (input) =>
    changeRoles(input, async (db, { id }, role) =>
      (await insertGrant(db, input.by, id, role, instantNow()))
        ? `now holds the role ${role}`
        : `holds the role ${role} already`,
    ),
}

const revoke: Command = {
  name: 'user revoke',
  summary: 'Take a role from an account, from its next request on',
  arguments: ['EMAIL', 'ROLE'],
  help: rolesHelp('user revoke'),
  run: (input) =>
    changeRoles(input, async (db, { id }, role) =>
      (await deleteGrant(db, input.by, id, role))
        ? `no longer holds the role ${role}`
        : `did not hold the role ${role}`,
    ),
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
      const { roles } = await findGrants(db, user.id)
      return {
        data: { id: user.id, email: user.email, roles },
        text: `${user.email} ${outcome}; it holds: ${roles.join(', ') || 'none'}.`,
      }
    }),
  )
}

const disable: Command = {
  name: 'user disable',
  summary: 'Disable an account and end its sessions',
  arguments: ['EMAIL'],
  run: (input) =>
    setDisabled(input, true, async (db, { id }) => {
      await keepAnAdministrator(db, input.by, id)
      await deleteSessionsOf(db, id)
    }),
}

const enable: Command = {
  name: 'user enable',
  summary: 'Enable a disabled account: it can log in again',
  arguments: ['EMAIL'],
  run: (input) => setDisabled(input, false, async () => {}),
}

function setDisabled(
  input: CommandInput,
  disabled: boolean,
  before: (db: Db, user: UserRow) => Promise<void>,
): Promise<CommandResult> {
  return withDatabase(input, (db) =>
    write(db, input.by, async (db) => {
      const user = await getAccount(db, input)
      const { id, email } = user
      const isSo = (user.disabled_at !== null) === disabled
      if (!isSo) {
        await before(db, user)
        await updateDisabled(db, input.by, id, disabled, instantNow())
      }
      const state = disabled ? 'disabled' : 'enabled'
      return { data: { id, email, disabled }, text: `${email} is ${isSo ? `${state} already` : state}.` }
    }),
  )
}

const password: Command = {
  name: 'user password',
  summary: 'Give an account a new password and end its sessions',
  arguments: ['EMAIL'],
  options: passwordOption,
  help: passwordHelp,
  run: (input) =>
    withDatabase(input, async (db) => {
      const user = await getAccount(db, input)
      const { id, email } = user
      const { passwordPolicy } = input.config('PASSWORD_POLICY')
      const passwordHash = await hashPassword(
        await readNewPassword(input.options['password-file'], passwordPolicy, user),
      )
      await write(db, input.by, async (db) => {
        await updatePasswordHash(db, input.by, id, passwordHash, instantNow())
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

/** `user add|list|grant|revoke|disable|enable|password` */
export const userCommands: readonly Command[] = [add, list, grant, revoke, disable, enable, password]
