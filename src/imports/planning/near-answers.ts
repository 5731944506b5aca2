import { inTurns } from '../slices/in-turns.ts'
import { type Candidate, NearFinder, type NearFound, type NearScopes, type NearStudent } from './near.ts'

/** Rows, or some students, as an array in JSON, which is quicker than a clone; null: that was all. */
export interface SentToNear {
  readonly rows?: string
  readonly students: Uint8Array | string | null
}

/** After some students: how many those were, and the last id. After all: what was found. */
export type NearReply = { readonly count: number; readonly last: number } | { readonly found: NearFound }

/** Finds the students whom rows may be, among those that it is sent, and lets others go on meanwhile. */
export function nearAnswers(scopes: NearScopes): (sent: SentToNear) => Promise<NearReply> {
  const finder = new NearFinder(scopes)
  return async ({ rows, students }) => {
    if (rows !== undefined) {
      const some: Candidate[] = JSON.parse(rows)
      finder.addRows(some)
      return { count: some.length, last: 0 }
    }
    if (students === null) return { found: finder.found() }
    const some: NearStudent[] = JSON.parse(
      typeof students === 'string' ? students : new TextDecoder().decode(students),
    )
    await inTurns(some, (student) => finder.addStudent(student))
    return { count: some.length, last: some.at(-1)?.[0] ?? 0 }
  }
}
