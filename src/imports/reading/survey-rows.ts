import type { ImportRow } from '../model.ts'
import type { Facts } from '../questions/facts.ts'
import { Survey } from '../questions/survey.ts'
import type { StepWork } from '../steps.ts'
import { slicesOf } from './staged-rows.ts'

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
