import { findRoles } from '../roles/queries.ts'
import type { Command } from './command.ts'
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
