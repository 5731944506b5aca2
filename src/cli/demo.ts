import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { type Author, write } from '../events/write.ts'
import { insertGrant } from '../roles/queries.ts'
import { insertStudent } from '../students/queries.ts'
import { hashPassword } from '../users/passwords.ts'
import { insertUser } from '../users/queries.ts'
import type { Command } from './command.ts'
import { instantNow, temporaryDatabaseUrl } from './database.ts'
import { demoStudents } from './demo-students.ts'
import { letYoungGenerationGrow } from './memory.ts'
import { portOption, withGivenPort } from './port.ts'
import { columns } from './usage.ts'

const password = 'only for the demo'
const accounts = [
  { name: 'Ada Admin', email: 'admin@demo.example', role: 'administrator' },
  { name: 'Vic Viewer', email: 'viewer@demo.example', role: 'viewer' },
  { name: 'Noa Nobody', email: 'nobody@demo.example', role: 'none' },
]

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** `demo` */
export const demo: Command = {
  name: 'demo',
  summary: 'Serve a temporary database with two hundred students (npm run demo)',
  printsItself: true,
  options: portOption,
  help: 'On this machine alone, at PORT, with the setting CORS_ORIGINS and no other. Prints the address of the console, three logins and a curl session. The records are gone when it ends.',
  async run({ by, config, options, nodeOptions }) {
    const databaseUrl = temporaryDatabaseUrl()
    const settings = withGivenPort(config('PORT', 'CORS_ORIGINS'), options)
    const endAtOnce = () => process.exit(1) // exit removes the records; until the server serves, nothing else does
    for (const signal of endings) process.on(signal, endAtOnce)
    await seed(databaseUrl, by)
    const { startServer } = await import('./server.ts')
    const server = await startServer({ ...settings, host: 'localhost', databaseUrl, logLevel: 'warn' })
    letYoungGenerationGrow(nodeOptions)
    for (const signal of endings) process.off(signal, endAtOnce)
    process.once('SIGHUP', () => process.kill(process.pid, 'SIGTERM')) // the terminal was closed
    console.log(welcome(`http://localhost:${server.port}`))
    return undefined
  },
}

async function seed(databaseUrl: string, by: Author): Promise<void> {
  await using db = await openDatabase(databaseUrl, { create: true })
  await migrate(db)
  const passwordHash = await hashPassword(password)
  const now = instantNow()
  await write(db, by, async (db) => {
    for (const { name, email, role } of accounts) {
      const id = await insertUser(db, by, { name, email, passwordHash }, now)
      if (role !== 'none') await insertGrant(db, id, role, now)
    }
    for (const student of demoStudents()) await insertStudent(db, student, now)
  })
}

function welcome(url: string): string {
  const logins = accounts.map(({ email, role }) => [email, password, role === 'none' ? 'no role' : role])
  return `
The console is at ${url} : open it in a browser, and sign in as

${columns([['E-MAIL', 'PASSWORD', 'ROLE'], ...logins])}

Registrar serves ${url}/api (reference: /api/docs) with a temporary database: 200 students, 12 classes, 3 accounts.
Ctrl-C ends it and removes everything. To paste into another terminal:

API=${url}/api
TOKEN=$(curl -s $API/auth/login -H 'Content-Type: application/json' \\
  -d '{"email":"${accounts[0]!.email}","password":"${password}"}' |
  sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
curl -s "$API/students?per_page=3" -H "Authorization: Bearer $TOKEN"; echo
curl -s "$API/students?search=muller+zoe" -H "Authorization: Bearer $TOKEN"; echo
curl -s $API/students/1 -H "Authorization: Bearer $TOKEN"; echo
curl -s $API/students -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name":"Grace Hopper","admission_number":"2026-1906","class_id":3}'; echo
curl -s -X POST $API/auth/logout -H "Authorization: Bearer $TOKEN"; echo
curl -s $API/students -H "Authorization: Bearer $TOKEN"; echo

The last answer is 401: the token is dead.
`
}
