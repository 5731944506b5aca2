import { type FileFacts, rowAt } from './model.ts'

/** The name of the sheet on which a row stands, where the file has several: the beginning of one that no program takes. */
export function sheetNameOf(facts: Pick<FileFacts, 'sheets'> | null, place: number): string | undefined {
  const { sheets = [] } = facts ?? {}
  const name = sheets.length > 1 ? sheets[rowAt(place).sheet]?.name : undefined
  return name?.slice(0, 100).toWellFormed() || undefined
}
