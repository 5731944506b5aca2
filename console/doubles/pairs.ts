import { type Double, getStudent, listDoubles, type Student, updateDouble } from '../../client/src/index.ts'
import { call, type Failure, type Outcome } from '../api/calls.ts'

/** A student of a pair: all of it that the account may see, as far as it could be read. */
export type Shown = Double['students'][0] & Partial<Student>

export interface Pair {
  readonly students: readonly [Shown, Shown]
  readonly reason: Double['reason']
}

export interface Pairs {
  readonly pairs: readonly Pair[]
  readonly total: number
  readonly pages: number
}

/** Few enough that one looks at each. */
const perPage = 10

/** A page of the pairs, with what there is to compare. */
export async function readPairs(page: number): Promise<Outcome<Pairs>> {
  const came = await call(() => listDoubles({ query: { page, per_page: perPage } }))
  if (came.is === 'failed') return came
  const { data, pagination } = came.data
  const pairs = data.map(async ({ students: [one, other], reason }) => {
    const students = await Promise.all([readWhole(one), readWhole(other)])
    return { students, reason }
  })
  const { total, total_pages: pages } = pagination
  return { ...came, data: { pairs: await Promise.all(pairs), total, pages } }
}

/** A student who was moved out of sight meanwhile is shown as the list told it. */
async function readWhole(student: Double['students'][0]): Promise<Shown> {
  const came = await call(() => getStudent({ path: { id: student.id } }))
  return came.is === 'done' ? came.data.data : student
}

/** Says that the two are two children, or takes that back. @returns why not */
export async function settle(
  { students: [one, other] }: Pair,
  different: boolean,
): Promise<Failure | undefined> {
  const came = await call(() => updateDouble({ path: { id: one.id, other: other.id }, body: { different } }))
  return came.is === 'failed' ? came.failure : undefined
}
