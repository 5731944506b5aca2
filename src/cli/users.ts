import { deleteSessionsOf } from '../access/sessions.ts'
import type { Db } from '../db/tables.ts'
import { write } from '../events/write.ts'
import { getRoleNamed, insertGrant } from '../roles/queries.ts'
import { findAccounts } from '../users/accounts.ts'
import { switchAccount } from '../users/administration.ts'
import { hashPassword } from '../users/passwords.ts'
import { findUserByEmail, insertUser, updateDisabled, updatePassword } from '../users/queries.ts'
import { removeUser } from '../users/removal.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import { inOneWrite, instantNow, onDatabase } from './database.ts'
import { allOrFaults, readField } from './fields.ts'
import { grant, revoke } from './grants.ts'
import { classOption, getNamedAccount, listOf, namesOf, readClasses } from './named.ts'
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
    ...classOption,
    ...passwordOption,
    ...changeOption,
  },
  help: `${passwordHelp}\n\nExample: ./registrar.js user add --email anna@school.example --name "Anna Berg" --role administrator`,
  run: onDatabase(async (db, input) => {
    const { role, 'password-file': file } = input.options
    const given = input.lists.class
    if (given !== undefined && role === undefined) throw new UsageError('--class needs --role.')
    const [name, email, classIds] = await allOrFaults([
      async () => readField.name(input.options.name!),
      () => readNewEmail(db, input.options.email!),
      async () => given && readClasses(db, given),
      async () => void (role !== undefined && (await getRoleNamed(db, role))),
    ])
    const owner = { name, email }
    const { passwordPolicy } = input.config('PASSWORD_POLICY')
    const password = await readNewPassword(file, passwordPolicy, owner)
    const passwordHash = await hashPassword(password)
    const mustChangePassword = input.flags.has('change-password')
    const now = instantNow()
    const id = await write(db, input.by, async (db) => {
      const id = await insertUser(db, input.by, { ...owner, passwordHash, mustChangePassword }, now)
      if (role !== undefined) await insertGrant(db, id, role, now, classIds)
      return id
    })
    const grants = role === undefined ? [] : [{ role, class_ids: classIds ?? null }]
    return {
      data: {
        id,
        ...owner,
        roles: grants.map(({ role }) => role),
        ...(classIds && { class_ids: classIds }),
      },
      text: `Made the account ${owner.email}, ${grants.length === 0 ? 'without a role' : `as ${listOf(grants)}`}.`,
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
  run: onDatabase(async (db) => {
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

const disable: Command = {
  name: 'user disable',
  summary: 'Disable an account and end its sessions',
  arguments: ['EMAIL'],
  run: setDisabled(true),
}

const enable: Command = {
  name: 'user enable',
  summary: 'Enable a disabled account: it can log in again',
  arguments: ['EMAIL'],
  run: setDisabled(false),
}

function setDisabled(disabled: boolean): Command['run'] {
  return inOneWrite(async (db, input) => {
    const user = await getNamedAccount(db, input)
    const { id, email } = user
    const isSo = (user.disabled_at !== null) === disabled
    if (!isSo) {
      await switchAccount(db, id, disabled, () => updateDisabled(db, id, disabled, instantNow()))
    }
    const state = disabled ? 'disabled' : 'enabled'
    return { data: { id, email, disabled }, text: `${email} is ${isSo ? `${state} already` : state}.` }
  })
}

const remove: Command = {
  name: 'user remove',
  summary: 'Remove an account that was never granted a role',
  arguments: ['EMAIL'],
  help: 'An account that holds or held a role stays: ./registrar.js user disable EMAIL.',
  run: inOneWrite(async (db, input) => {
    const { id, email } = await getNamedAccount(db, input)
    await removeUser(db, id, instantNow())
    return { data: { id, email }, text: `Removed the account ${email}.` }
  }),
}

const password: Command = {
  name: 'user password',
  summary: 'Give an account a new password and end its sessions',
  arguments: ['EMAIL'],
  options: { ...passwordOption, ...changeOption },
  help: passwordHelp,
  run: onDatabase(async (db, input) => {
    const user = await getNamedAccount(db, input)
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

/** `user add|list|grant|revoke|disable|enable|password|remove` */
export const userCommands: readonly Command[] = [add, list, grant, revoke, disable, enable, password, remove]
