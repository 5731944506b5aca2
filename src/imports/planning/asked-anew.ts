import { isOneOf } from '../../db/is-one-of.ts'
import type { Db } from '../../db/tables.ts'
import { doubts } from '../codes.ts'
import type { PlannedCell } from '../model.ts'

/*
 * Who decides that a row is another child has looked at whom it may be. Where it may be somebody else by now, or for
 * another reason, nobody has decided that.
 */

const reasons: ReadonlySet<string> = new Set(doubts)

/** What the doubts in the cells of a row are about: each reason, with each student or row. */
function aboutOf(cells: readonly PlannedCell[]): string[] {
  return cells
    .filter(({ code }) => reasons.has(code ?? ''))
    .flatMap(({ code, ids, places, params }) => {
      if (ids !== undefined) return ids.map((id) => `${code} student ${id}`)
      if (places !== undefined) return places.map((place) => `${code} place ${place}`)
      return [`${code} row ${params?.row} sheet ${params?.sheet ?? 0}`]
    })
}

/**
 * What a decision is about, to be kept with it: the doubts of its row, or those of the decision before it, which may
 * have taken them out of the plan. Null: it is not known.
 */
export function aboutKept(cells: string | null, before: string | null): string | null {
  const about = aboutOf(cells === null ? [] : JSON.parse(cells))
  return about.length > 0 ? JSON.stringify(about) : before
}

/** Whether a row has a doubt on which nobody decided. @param about as `aboutKept` gives it */
export function hasNewDoubt(doubts: readonly PlannedCell[], about: string | null): boolean {
  if (about === null) return false
  const known: readonly string[] = JSON.parse(about)
  return aboutOf(doubts).some((one) => !known.includes(one))
}

/** Forgets what was decided on rows, so that it is asked again. */
export async function forgetDecisions(db: Db, importId: number, places: readonly number[]): Promise<void> {
  await db
    .deleteFrom('import_decisions')
    .where('import_id', '=', importId)
    .where(isOneOf(db, 'place', places))
    .execute()
}
