import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Does something with a folder of its own, which is removed afterwards, by Ctrl-C too. */
export async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
  try {
    await work(folder)
  } finally {
    remove()
  }
}
