import type pg from 'pg'
import type { BoundStatement } from '../src/db/sqlite-reader.ts'

/** A sequential scan, of so many pages, and which nodes read the table where such scans are avoided. */
export interface SequentialScan {
  readonly table: string
  readonly pages: number
  readonly instead: string
}

/** How PostgreSQL runs a prepared statement. */
export interface Plan {
  /** The plan that it stays with. */
  readonly settled: readonly string[]
  /** The plan of its first runs, made for their values; undefined where it is the same. */
  readonly first: readonly string[] | undefined
  readonly scans: readonly SequentialScan[]
}

/** After five runs PostgreSQL may change to one plan for all values. */
const runsUntilSettled = 7

/** Runs a statement as the server does, prepared under a name, and undoes what it did. */
export async function explain(client: pg.Client, name: string, statement: BoundStatement): Promise<Plan> {
  await client.query(`prepare ${name} as ${statement.sql}`)
  const values = statement.parameters.map((value) => literal(client, value))
  const execute = values.length === 0 ? name : `${name}(${values.join(', ')})`
  const run = () => explainOnce(client, execute)
  const first = await run()
  let settled = first
  for (let runs = 2; runs <= runsUntilSettled; runs++) settled = await run()
  await client.query('set enable_seqscan = off; set plan_cache_mode = force_custom_plan')
  const avoiding = await run()
  await client.query('reset all')
  const scans: SequentialScan[] = []
  for (const table of new Set([...scannedTables(first), ...scannedTables(settled)])) {
    const { rows } = await client.query('select relpages from pg_class where oid = $1::regclass', [table])
    scans.push({ table, pages: rows[0].relpages, instead: readersOf(avoiding, table) })
  }
  return { settled, first: shape(first) === shape(settled) ? undefined : first, scans }
}

async function explainOnce(client: pg.Client, execute: string): Promise<string[]> {
  await client.query('begin')
  try {
    const { rows } = await client.query(`explain (analyze, buffers off) execute ${execute}`)
    return rows.map((row) => row['QUERY PLAN'])
  } finally {
    await client.query('rollback')
  }
}

function literal(client: pg.Client, value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`
  if (value instanceof Date) return client.escapeLiteral(value.toISOString())
  return client.escapeLiteral(String(value))
}

function scannedTables(plan: readonly string[]): string[] {
  return plan.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? [])
}

/** The index nodes that read a table; a bitmap's heap node names the table, and the nodes below it the index. */
function readersOf(plan: readonly string[], table: string): string {
  const nodes = plan.flatMap((line) => {
    const [, node, index] = /(\w[\w ]* Scan)(?: using (\w+))? on /.exec(line) ?? []
    const on = / on (\w+)/.exec(line)?.[1]
    return node !== undefined && (on === table || on?.startsWith(table)) ? [`${node} ${index ?? on}`] : []
  })
  return [...new Set(nodes)].join(', ')
}

/** A plan without its figures, which differ at every run. */
function shape(plan: readonly string[]): string {
  return plan
    .filter((line) => /->|^\w+.*\(cost|Cond:/.test(line))
    .map((line) => line.replace(/\(.*$/, ''))
    .join('\n')
}
