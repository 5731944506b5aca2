import { type Permission, permissions } from '../access/permissions.ts'
import { lockPlatform } from '../access/platform.ts'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { getRoleNamed } from '../roles/queries.ts'
import { deleteRole, findRoles, insertRole, type Role, updateRole } from '../roles/role-records.ts'
import { type Command, CommandError, type CommandInput, type CommandResult } from './command.ts'
import { inOneWrite, instantNow, onDatabase } from './database.ts'
import { readField } from './fields.ts'
import { columns } from './usage.ts'

const list: Command = {
  name: 'role list',
  summary: 'List the roles and their permissions',
  run: onDatabase(async (db) => {
    const found = await findRoles(db)
    const roles = found.map(({ updated_at: _, ...shown }) => shown)
    const rows = roles.map(({ name, permissions }) => [name, permissions.join(', ')])
    return { data: { roles }, text: columns([['ROLE', 'PERMISSIONS'], ...rows]) }
  }),
}

const permissionsHelp = `The permissions: ${permissions.join(', ')}.`

const add: Command = {
  name: 'role add',
  summary: 'Add a role that holds these permissions',
  arguments: ['NAME', 'PERMISSION…'],
  help: `${permissionsHelp}\n\nExample: ./registrar.js role add "Class teacher" students.view students.update`,
  run: inTurn(async (db, { arguments: [name = '', ...given] }) => {
    const content = { name: readField.role(name), permissions: readPermissions(given) }
    const id = await insertRole(db, content, instantNow())
    return { data: { id, ...content }, text: `Added the role ${content.name}.` }
  }),
}

const rename: Command = {
  name: 'role rename',
  summary: 'Give a role another name; who holds it holds it as before',
  arguments: ['NAME', 'NEW-NAME'],
  run: inTurn(async (db, input) => {
    const name = readField.role(input.arguments[1]!)
    const role = await getNamed(db, input)
    await updateRole(db, role, { ...role, name }, instantNow())
    return { data: { id: role.id, name }, text: `The role ${role.name} is now called ${name}.` }
  }),
}

const allow: Command = {
  name: 'role permissions',
  summary: 'Replace the permissions of a role, for all who hold it, from their next request on',
  arguments: ['NAME', 'PERMISSION…'],
  help: permissionsHelp,
  run: inTurn(async (db, input) => {
    const permissions = readPermissions(input.arguments.slice(1))
    const role = await getNamed(db, input)
    const { id, name } = role
    await updateRole(db, role, { name, permissions }, instantNow())
    return { data: { id, name, permissions }, text: `The role ${name} holds: ${permissions.join(', ')}.` }
  }),
}

const remove: Command = {
  name: 'role remove',
  summary: 'Remove a role that no account holds',
  arguments: ['NAME'],
  run: inTurn(async (db, input) => {
    const role = await getNamed(db, input)
    await deleteRole(db, role, instantNow())
    return { data: { id: role.id, name: role.name }, text: `Removed the role ${role.name}.` }
  }),
}

/** A write that runs in turn with those of administrators over HTTP. */
function inTurn(work: (tx: Tx, input: CommandInput) => Promise<CommandResult>): Command['run'] {
  return inOneWrite(async (db, input) => {
    await lockPlatform(db)
    return work(db, input)
  })
}

/** The role that NAME names, the first argument. */
function getNamed(db: Db, { arguments: [given = ''] }: CommandInput): Promise<Role> {
  return getRoleNamed(db, readField.role(given))
}

/** @throws CommandError that names the permissions there are */
function readPermissions(given: readonly string[]): Permission[] {
  const unknown = given.filter((name) => !permissions.includes(name as Permission))
  if (unknown.length === 0) return [...new Set(given as readonly Permission[])].sort()
  throw new CommandError(`There is no permission ${unknown.join(', ')}. ${permissionsHelp}`)
}

/** `role list|add|rename|permissions|remove` */
export const roleCommands: readonly Command[] = [list, add, rename, allow, remove]
