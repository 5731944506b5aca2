import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'
import { PostgresServer, runSql } from '../test/postgres.ts'
import { parentOf } from './usage.ts'

/** As on a small machine of its own; later settings win over those of the tests, which don't flush. */
const settings = ['fsync=on', 'synchronous_commit=on', 'shared_buffers=256MB']

/** A PostgreSQL server of the benchmark's own, with an empty database. */
export interface Postgres {
  readonly url: string
  /** Its first process, whose children all the others are. */
  readonly pid: number | undefined
  readonly version: string
  /** Settings that the figures hang on, as the server itself tells them. */
  readonly shown: string
  readonly stop: () => Promise<void>
}

/** Starts PostgreSQL from the binaries that the tests take. Whatever ends this process ends it. */
export async function startPostgres(): Promise<Postgres> {
  const server = await PostgresServer.start(settings)
  const admin = server.url('postgres')
  const [row] = (await runSql(
    admin,
    `select current_setting('server_version') as version, current_setting('data_directory') as data,
       current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
       current_setting('shared_buffers') as buffers`,
  )) as [Record<'version' | 'data' | 'fsync' | 'commits' | 'buffers', string>]
  const { version, data, fsync, commits, buffers } = row
  const removeNow = () => {
    void server.stop('immediate')
    rmSync(dirname(data), { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', removeNow)
  if (fsync !== 'on' || commits !== 'on') throw new Error('PostgreSQL does not flush its commits')
  await runSql(admin, 'create database bench')
  return {
    url: server.url('bench'),
    pid: await postmasterOf(admin),
    version: version.split(' ')[0]!,
    shown: `fsync ${fsync}, synchronous_commit ${commits}, shared_buffers ${buffers}`,
    async stop() {
      process.off('exit', removeNow)
      await server.remove()
    },
  }
}

/** Has PostgreSQL wait before each flush of a commit, in milliseconds; 0: no more. */
export async function delayFlushes(url: string, ms: number): Promise<void> {
  const delay = `alter system set commit_delay = ${ms * 1_000}`
  await runSql(url, delay, 'alter system set commit_siblings = 0', 'select pg_reload_conf()')
}

/** The parent of the process that serves a connection. */
async function postmasterOf(url: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = parentOf(rows[0]!.pid)
  await client.end()
  return pid
}
