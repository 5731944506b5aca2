import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

const works: (() => unknown)[] = []

// Registered when the file is loaded: inside a hook, `after` would run when that hook ends.
after(async () => {
  for (const work of works.reverse()) await work()
})

/** Does this when the test file ends, the last first: everything that a test starts, it stops. */
export function atEnd(work: () => unknown): void {
  works.push(work)
}

/** A folder of its own in one that is there, removed when the test file ends. */
export function temporaryFolder(within = tmpdir()): string {
  const folder = mkdtempSync(join(within, 'registrar-test-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** A file in such a folder. @returns its path */
export function temporaryFile(name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}
