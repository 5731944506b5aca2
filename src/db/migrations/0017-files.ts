import type { Migration } from './index.ts'

const statements = ['administrator', 'registrar'].map(
  (role) =>
    `insert into role_permissions (role_id, permission) select id, 'students.export' from roles where name = '${role}' and built_in = 1`,
)

/** Who exports records as files. */
export const files: Migration = {
  id: 17,
  name: 'files',
  statements: { sqlite: statements, postgres: statements },
}
