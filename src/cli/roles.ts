import type { Db } from '../db/tables.ts'
import { findRoles } from '../roles/queries.ts'
import { type Command, CommandError } from './command.ts'
import { withDatabase } from './database.ts'
import { columns } from './usage.ts'

/** `role list` */
export const roleList: Command = {
  name: 'role list',
  summary: 'List the roles and their permissions',
  run: (input) =>
    withDatabase(input, async (db) => {
      const roles = await findRoles(db)
      const rows = roles.map(({ name, permissions }) => [name, permissions.join(', ')])
      return { data: { roles }, text: columns([['ROLE', 'PERMISSIONS'], ...rows]) }
    }),
}

/** @throws CommandError that names the roles there are */
export async function checkRole(db: Db, role: string): Promise<void> {
  const names = (await findRoles(db)).map(({ name }) => name)
  if (!names.includes(role))
    throw new CommandError(`There is no role ${role}. The roles are: ${names.join(', ')}.`)
}
