/** What is larger is left to the browser, by a link, in bytes. */
export const mostBytes = 20_000_000
/** How much room a cell of a file takes, on the large side, in bytes. */
export const bytesOfCell = 60

/** A name without the signs that a file's name cannot have. */
const fileName = (name: string) => name.replace(/[/\\:*?"<>|]/g, ' ')

/** Gives the reader a file that a script holds: by a link, which no script can do without an element. */
export function handFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = fileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
