import type { FieldFault } from '../../client/src/index.ts'
import type { Failure, Outcome } from '../api/calls.ts'
import { faultsOf } from '../parts/edit-form.tsx'

/** What was refused, and why. */
export interface Refused<One> {
  readonly one: One
  readonly fault: FieldFault
}

/** What came of several changes: the ids of what was changed, what was refused, and what was not tried. */
interface Came<One> {
  readonly done: readonly number[]
  readonly refused: readonly Refused<One>[]
  readonly left: readonly One[]
  /** Why it ended early. */
  readonly failure: Failure | undefined
}

/** Changes one after another. What is wrong with one of them holds no other up; any other failure ends it. */
export async function oneByOne<One>(
  all: readonly One[],
  change: (one: One) => Promise<Outcome<number>>,
): Promise<Came<One>> {
  const done: number[] = []
  const refused: Refused<One>[] = []
  for (const [i, one] of all.entries()) {
    const came = await change(one)
    if (came.is === 'done') done.push(came.data)
    else {
      const [fault] = faultsOf(came.failure)
      if (fault === undefined) return { done, refused, left: all.slice(i), failure: came.failure }
      refused.push({ one, fault })
    }
  }
  return { done, refused, left: [], failure: undefined }
}

/**
 * As `oneByOne`, and again for what was refused as taken, as long as something was changed: the name may be free by
 * then. The last is tried first, so that classes which all move up need two rounds.
 */
export async function oneByOneAsFreed<One>(
  all: readonly One[],
  change: (one: One) => Promise<Outcome<number>>,
): Promise<Came<One>> {
  const done: number[] = []
  const wrong: Refused<One>[] = []
  for (let left = all; ; ) {
    const came = await oneByOne(left, change)
    done.push(...came.done)
    const taken = came.refused.filter(({ fault }) => fault.code === 'taken')
    wrong.push(...came.refused.filter((one) => !taken.includes(one)))
    if (came.failure !== undefined || came.done.length === 0 || taken.length === 0) {
      const refused = [...wrong, ...taken]
      return { ...came, done, refused: refused.sort((a, b) => all.indexOf(a.one) - all.indexOf(b.one)) }
    }
    left = taken.map(({ one }) => one).reverse()
  }
}
