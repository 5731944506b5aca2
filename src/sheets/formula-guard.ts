/**
 * Keeps a spreadsheet from running the text of a cell as a formula: a text that begins as one gets a `'`. One that
 * begins with `'` before that gets another, so that taking one off restores every text.
 */
export function guarded(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** Takes one `'` off again, where it guards. */
export function unguarded(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}
