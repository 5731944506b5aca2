import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { call, logInAt } from '../calls.ts'
import { serverEnvironment } from '../server.ts'
import { accounts, addedLabel, password, renamedLabel, students } from './records.ts'

/*
 * Makes the two files of a release with that release's own program; README.md beside it says how it is called.
 */

const [givenFolder, postgresUrl] = process.argv.slice(2)
if (givenFolder === undefined || postgresUrl === undefined) {
  console.error('Usage: node registrar.js --node test/released/make.ts FOLDER POSTGRES_URL')
  process.exit(2)
}
const program = join(resolve(givenFolder), 'registrar.js')
const { version } = JSON.parse(readFileSync(join(givenFolder, 'package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'registrar-released-'))
const target = (ending: string) => join(import.meta.dirname, `${version}.${ending}`)

try {
  const file = join(folder, 'registrar.db')
  await fill(`sqlite:${file}`)
  const db = new DatabaseSync(file)
  db.exec('vacuum; pragma wal_checkpoint(truncate)')
  db.close()
  writeFileSync(target('db.gz'), gzipSync(readFileSync(file), { level: 9 }))

  await fill(postgresUrl)
  writeFileSync(target('sql'), dump(postgresUrl))
} finally {
  rmSync(folder, { recursive: true })
}

async function fill(databaseUrl: string): Promise<void> {
  const run = (args: readonly string[], input = '') =>
    execFileSync(process.execPath, [program, ...args], {
      cwd: folder,
      env: serverEnvironment(databaseUrl),
      input,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
  const yes = ['0.3.0', '0.4.0'].includes(version) ? [] : ['--yes'] // they did not ask
  run(['migrate'])
  for (const { email, name, role } of accounts) {
    const args = ['user', 'add', '--email', email, '--name', name]
    run(role === undefined ? args : [...args, '--role', role], password)
  }
  run(['user', 'grant', accounts[0]!.email, 'viewer', ...yes])
  run(['class', 'rename', '2', renamedLabel])
  run(['class', 'add', addedLabel])
  run(['class', 'remove', '12'])
  await createStudents(databaseUrl)
  if (version === '0.3.0') return // the last one without what follows
  run(['class', 'archive', '11'])
  run(['role', 'add', 'Class teacher', 'students.view', 'students.update'])
  run(['user', 'grant', accounts[2]!.email, 'Class teacher', '--class', '3', ...yes])
}

/** Creates the students over HTTP, one after another. */
async function createStudents(databaseUrl: string): Promise<void> {
  const server = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    env: serverEnvironment(databaseUrl),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(server, 'exit')
  let url: string | undefined
  for await (const line of createInterface({ input: server.stdout })) {
    url = /Registrar serves (http:[^ ]+) /.exec(line)?.[1]
    if (url !== undefined) break
  }
  if (url === undefined) throw new Error('the server did not start')
  server.stdout.resume()
  const token = await logInAt({ url }, accounts[1]!.email, password)
  for (const body of students) {
    const { status } = await call({ url }, 'POST', '/api/students', { token, body })
    if (status !== 201) throw new Error(`${body.name}: ${status}`)
  }
  server.kill('SIGTERM')
  await exited
}

/** The database as SQL that the driver can send in one piece: no commands of psql, no comments. */
function dump(databaseUrl: string): string {
  const options = ['--no-owner', '--no-privileges', '--no-comments', '--rows-per-insert=100']
  const sql = execFileSync('pg_dump', [...options, databaseUrl], { encoding: 'utf8' })
  return sql.replace(/^(--|\\).*\n/gm, '').replace(/\n{2,}/g, '\n')
}
