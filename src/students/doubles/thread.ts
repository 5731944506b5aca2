import { parentPort } from 'node:worker_threads'
import { type FoundPairs, PairFinder, type SearchedStudent } from './pairs.ts'

/* A thread that finds the pairs among the students that it is sent. */

/** Some students, as an array in JSON, or null: that was all. */
export interface SentStudents {
  readonly students: Uint8Array | string | null
}

/** After some students: how many those were, and the last id. After all: the pairs. */
export type ThreadReply = { readonly count: number; readonly last: number } | { readonly pairs: FoundPairs }

const port = parentPort!
const finder = new PairFinder()

function answer({ students }: SentStudents): ThreadReply {
  if (students === null) return { pairs: finder.pairs() }
  const some: SearchedStudent[] = JSON.parse(
    typeof students === 'string' ? students : new TextDecoder().decode(students),
  )
  finder.add(some)
  return { count: some.length, last: some.at(-1)?.[0] ?? 0 }
}

port.on('message', (sent: SentStudents) => {
  const reply = answer(sent)
  port.postMessage(reply, 'pairs' in reply ? [reply.pairs.buffer] : [])
})
