import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawChart } from './chart.ts'
import { costCharts } from './costs.ts'
import { type Packages, productionPackages } from './packages.ts'
import type { Run } from './results.ts'
import { blocks } from './tables.ts'

const docs = join(import.meta.dirname, '..', 'docs')

/** What the document shows, as docs/performance.json keeps it. */
export interface Figures {
  /** From the smallest to the largest; one a size. */
  readonly runs: readonly Run[]
  readonly packages: Packages
}

/** Writes docs/performance: the figures (of these files, or those that it holds), its tables and its plots. */
export function writeDocument(files: readonly string[]): void {
  const known: Figures = JSON.parse(read('performance.json'))
  const runs = files.length === 0 ? known.runs : readRuns(files)
  const figures: Figures = { runs, packages: productionPackages(join(docs, '..')) }
  for (const [name, text] of Object.entries(documentFiles(figures, read('performance.md'))))
    writeFileSync(join(docs, name), text)
}

/** The files of the document, by their names: the same figures give the same bytes. */
export function documentFiles(figures: Figures, markdown: string): Record<string, string> {
  const charts = costCharts(figures.runs).map(({ name, chart }) => [
    `performance-${name}.svg`,
    drawChart(chart),
  ])
  return {
    'performance.json': `${JSON.stringify(figures, rounded, 2)}\n`,
    'performance.md': fillBlocks(markdown, blocks(figures)),
    ...Object.fromEntries(charts),
  }
}

function read(name: string): string {
  return readFileSync(join(docs, name), 'utf8')
}

/** Reads what `--json` wrote; of two runs of one size the later file's counts. */
function readRuns(files: readonly string[]): Run[] {
  const bySize = new Map<number, Run>()
  for (const file of files) {
    const run: Run = JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
      key === 'rounds' && Array.isArray(value) ? undefined : value,
    )
    bySize.set(run.students, run)
  }
  const runs = [...bySize.values()].sort((a, b) => a.students - b.students)
  return JSON.parse(JSON.stringify(runs, rounded))
}

/** Figures to a thousandth: more would be noise, and would change with every run. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value
}

/** Replaces what stands between `<!-- made: name -->` and `<!-- end: name -->`. */
function fillBlocks(markdown: string, made: Readonly<Record<string, string>>): string {
  let text = markdown
  for (const [name, block] of Object.entries(made)) {
    const [begin, end] = [`<!-- made: ${name} -->`, `<!-- end: ${name} -->`]
    const [before, rest] = text.split(begin)
    const [, after] = rest?.split(end) ?? []
    if (after === undefined)
      throw new Error(`docs/performance.md has no place for ${name}: ${begin} … ${end}`)
    text = `${before}${begin}\n${block}\n${end}${after}`
  }
  return text
}
