import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './cleanup.ts'
import { installedPostgres } from './postgres.ts'
import { projectFolder } from './server.ts'

/** The passwords that `runInit` gives the roles: each has characters that a URL can't hold as they are. */
export const passwords = { owner_password: "own'er/1%#@", server_password: '12/3?#@' }

/** Runs deploy/postgres-init.sql by psql. @param url an administrator's, of any database but `registrar` */
export function runInit(url: string, secretsFolder = secrets()) {
  const file = join(projectFolder, 'deploy', 'postgres-init.sql')
  const env = { PATH: process.env.PATH, SECRETS: secretsFolder }
  return spawnSync('psql', ['-X', '-q', '-d', url, '-f', file], { env, encoding: 'utf8' })
}

function secrets(): string {
  const folder = temporaryFolder()
  for (const [name, password] of Object.entries(passwords)) writeFileSync(join(folder, name), `${password}\n`)
  return folder
}

const lacksPsql = spawnSync('psql', ['--version']).status !== 0 && 'psql is not on this machine'
const installed = installedPostgres()

/** Each PostgreSQL to try: the package's, and those installed here, by the folder of their programs. */
export const postgresServers: readonly { name: string; bin: string | undefined; skip: false | string }[] = [
  { name: 'the one of the tests', bin: undefined, skip: lacksPsql },
  ...installed.map((bin) => ({ name: bin, bin, skip: lacksPsql })),
  ...(installed.length === 0
    ? [{ name: 'an installed one', bin: undefined, skip: 'no PostgreSQL is installed on this machine' }]
    : []),
]
