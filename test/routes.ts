import { sql } from 'kysely'
import { sensitiveMembers } from '../src/students/details.ts'
import { resolved } from './described.ts'
import type { School } from './school.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly examples?: readonly unknown[]
  readonly example?: unknown
}
interface Operation {
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters?: readonly (Schema & { in: string; name: string })[]
  readonly requestBody?: { content: Record<string, { schema: Schema }> }
  readonly responses: Record<
    string,
    { headers?: Record<string, object>; content: Record<string, { examples?: object }> }
  >
}
export interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly isGuarded: boolean
  /** A body as the document gives it: a valid request. */
  readonly example: unknown
  /** Whether its body is a file. */
  readonly takesFile: boolean
}

/** Every documented route, and the HEAD of every GET. */
export async function routesOf({ app }: School): Promise<Route[]> {
  const document = (await app.describe()) as { paths: Record<string, Record<string, Operation>> }
  const { paths } = document
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const isGuarded = operation.security.length > 0
      const methods = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]
      const content = operation.requestBody?.content
      const takesFile = content !== undefined && 'application/octet-stream' in content
      const body = content?.['application/json']?.schema
      const example = body && exampleOf(resolved(document, body))
      return methods.map((method) => ({ method, path, operation, isGuarded, example, takesFile }))
    }),
  )
}

/** Members of a student that need a permission of their own besides the route's, or that another student has. */
const membersApart = new Set<string>([...sensitiveMembers, 'identifiers'])

/** A file that each of them takes, with its media type. */
export const exampleFile = {
  payload: 'name,admission_number,class_id\nAda Lovelace,of-a-file,1\n',
  headers: { 'content-type': 'text/csv' },
}

function exampleOf({ properties, examples, example }: Schema): unknown {
  if (properties === undefined) return example ?? examples?.[0]
  const isStudent = 'admission_number' in properties
  const members = Object.entries(properties).filter(([name]) => !(isStudent && membersApart.has(name)))
  return Object.fromEntries(members.map(([name, schema]) => [name, exampleOf(schema)]))
}

/** All that the database holds, but for the counters of attempts, and when sessions were last used. */
export async function everything(school: School): Promise<string> {
  const tables = await school.db.introspection.getTables()
  const records = tables.filter(({ name }) => !/^(student_search|guardian_search|throttles)/.test(name))
  const contents = await Promise.all(
    records.map(async ({ name }) => {
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(school.db)
      // Sorted: PostgreSQL moves a row whose `last_used_at` is written.
      return [name, rows.map((row) => JSON.stringify({ ...row, last_used_at: undefined })).sort()]
    }),
  )
  return JSON.stringify(contents)
}
