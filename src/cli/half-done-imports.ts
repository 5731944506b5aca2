import { findHalfDone } from '../imports/queries.ts'
import { finishImport, type ImportWork } from './import-job.ts'

/**
 * Ends what a killed command or a server has left half done. What is planned beside it would take its rows for children
 * who are there, and it would find that plan's children and take all of its own back.
 */
export async function endHalfDone(work: ImportWork): Promise<void> {
  for (const { id, state } of await findHalfDone(work.db)) {
    console.error(
      `Import ${id} is half ${state === 'applying' ? 'applied' : 'taken back'}. It is ended first.`,
    )
    await finishImport(work, id)
  }
}
