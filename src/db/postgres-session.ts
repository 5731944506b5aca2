import type pg from 'pg'

/** How long a statement may take, and wait for a lock, in milliseconds. */
export const limits = { statement_timeout: 5_000, lock_timeout: 2_000 } as const

/** What a session lacks where its role has a setting so, and what it gets: limits, and commits that outlive a crash. */
const remedies = {
  statement_timeout: ['0', limits.statement_timeout],
  lock_timeout: ['0', limits.lock_timeout],
  synchronous_commit: ['off', 'on'],
} as const
const names = Object.keys(remedies) as (keyof typeof remedies)[]

/** How long to wait for the first answer on a new connection: PgBouncer has 2 s to find a server connection. */
const firstAnswerTimeoutMs = 2_500

/**
 * Takes 300 KB as a session begins, and gives them back, which costs 3 ms. From then on glibc keeps what its statements
 * give back, up to this size, and need not ask the kernel for each page anew (mallopt(3), M_MMAP_THRESHOLD): decision
 * 0115.
 */
const takesOnce = "octet_length(repeat(repeat('x', 1000), 300)) as taken"

/**
 * Looks at a new session, and gives it what its role lacks. A pooler (PgBouncer, Supavisor) reports a process id other
 * than the one that answers: then the session is shared, and stays as it is.
 * @param withLimits whether statements get limits of time
 * @returns whether the session is this connection's own. Some poolers lose pipelined statements
 */
export async function beginSession(client: pg.ClientBase, withLimits: boolean): Promise<boolean> {
  const settings = names.map((name) => `current_setting('${name}') as ${name}`)
  const text = `select pg_backend_pid() as pid, ${settings}, ${takesOnce}`
  const question = { text, query_timeout: firstAnswerTimeoutMs }
  const { rows } = await client.query<Record<keyof typeof remedies, string> & { pid: number }>(question)
  const { processID } = client as pg.ClientBase & { processID: number }
  const [session] = rows
  if (session!.pid !== processID) return false
  for (const name of names) {
    const [poor, better] = remedies[name]
    const isWanted = withLimits || !(name in limits)
    if (isWanted && session![name] === poor)
      await client.query({ ...question, text: `set ${name} = ${better}` })
  }
  return true
}
