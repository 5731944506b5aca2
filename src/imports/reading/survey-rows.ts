import type { Facts } from '../facts.ts'
import type { ImportRow } from '../model.ts'
import { Survey } from '../questions/survey.ts'
import { slicesOf } from '../slices/staged-rows.ts'
import type { StepWork } from '../steps.ts'

/** Looks at all rows of an import for what must be asked. */
export async function surveyRows(imported: ImportRow, facts: Facts, work: StepWork): Promise<Survey> {
  const survey = new Survey(facts)
  let done = 0
  for await (const rows of slicesOf(work.db, imported.id)) {
    survey.add(rows)
    done += rows.length
    await work.beat(done)
  }
  return survey
}
