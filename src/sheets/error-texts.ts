/** What spreadsheets show of a formula that failed, in the languages that write it otherwise than English too. */
const errorText = /^(?:#[¡¿]?\p{Lu}[\p{Lu}\d_]*(?:\/0)?[!?]|#N\/[ADV]|#NV|#GETTING_DATA|Err:\d{3})$/u

/** What stands for an error that is none of these. */
export const unknownError = '#ERROR!'

/** Whether a cell holds a spreadsheet's error, such as `#REF!`, and no value. */
export function isErrorText(cell: string): boolean {
  const first = cell.trimStart()[0]
  return (first === '#' || first === 'E') && errorText.test(cell.trim())
}
