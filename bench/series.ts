import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeDocument } from './document.ts'
import type { Options } from './options.ts'

const smallest = 1_000
/** Beyond this only what must not grow with the size is measured. */
const largestWhole = 1_000_000
const beyond = ['get', 'list', 'rare']

/**
 * Runs the suite at each size, as processes of their own so that one leaves nothing to the next, and writes
 * the document. What was measured stays in bench/results.
 */
export async function benchSeries({ scale, seconds, rounds, peers }: Options): Promise<void> {
  const results = join(import.meta.dirname, 'results')
  mkdirSync(results, { recursive: true })
  const files: string[] = []
  for (const students of sizesUpTo(scale)) {
    const file = join(results, `${students}.json`)
    const only = students > largestWhole ? beyond.flatMap((name) => ['--only', name]) : []
    const pace = ['--scale', students, '--seconds', seconds, '--rounds', rounds].map(String)
    const beside = peers.flatMap((name) => ['--peer', name])
    const args = [join(import.meta.dirname, 'bench.ts'), ...pace, ...only, ...beside, '--json', file]
    const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')
    if (code !== 0) throw new Error(`the run with ${students} students failed`)
    files.push(file)
  }
  writeDocument(files)
}

/** A thousand, ten times as many and so on, and the largest size itself. */
function sizesUpTo(largest: number): number[] {
  const sizes: number[] = []
  for (let size = smallest; size < largest; size *= 10) sizes.push(size)
  return [...sizes, largest]
}
