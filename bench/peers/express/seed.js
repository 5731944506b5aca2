import Database from 'better-sqlite3'
import { createAuth } from './auth.js'
import { openDatabase, prepareStatements } from './database.js'
import { searchText } from './search.js'

/*
 * node seed.js REGISTRAR_DATABASE SESSIONS_BY_ROLE (JSON: { role: sessions })
 *
 * Copies a Registrar database's people into this server's own tables, in one transaction, and prints the
 * tokens of new sessions as JSON: { role: tokens }, the role's accounts in turn.
 */

const [registrarPath, sessionsByRole] = process.argv.slice(2)
const registrar = new Database(registrarPath, { readonly: true, fileMustExist: true })
registrar.function('folded', searchText)
const db = openDatabase(process.env.DATABASE)
const auth = createAuth(prepareStatements(db), process.env.JWT_SECRET)

/** Copies what a query finds, ids included. */
function copy(table, columns, query = `select ${columns} from ${table}`) {
  const places = columns.replaceAll(/\w+/g, (column) => `@${column}`)
  const insert = db.prepare(`insert into ${table} (${columns}) values (${places})`)
  for (const row of registrar.prepare(query).iterate()) insert.run(row)
}

const tokens = db.transaction(() => {
  copy('classes', 'id, label')
  copy('users', 'id, name, email, password_hash')
  copy(
    'role_permissions',
    'role, permission',
    'select name as role, permission from role_permissions join roles on roles.id = role_id',
  )
  copy(
    'user_roles',
    'user_id, role',
    'select user_id, name as role from user_roles join roles on roles.id = role_id',
  )
  copy(
    'students',
    'id, name, admission_number, class_id, search_text',
    'select id, name, admission_number, class_id, folded(name, admission_number) as search_text from students',
  )
  const usersWith = db.prepare('select user_id from user_roles where role = ? order by user_id').pluck()
  return Object.fromEntries(
    Object.entries(JSON.parse(sessionsByRole)).map(([role, sessions]) => {
      const users = usersWith.all(role)
      return [role, Array.from({ length: sessions }, (_, i) => auth.issueToken(users[i % users.length]))]
    }),
  )
})()
db.exec('analyze')
db.pragma('wal_checkpoint(truncate)')
db.close()
registrar.close()
console.log(JSON.stringify(tokens))
