import { availableParallelism, cpus, totalmem } from 'node:os'
import { DatabaseSync } from 'node:sqlite'

/** What the figures were measured on. */
export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly memoryGb: number
  readonly platform: string
  readonly node: string
  readonly sqlite: string
}

export function describeMachine(): Machine {
  const db = new DatabaseSync(':memory:')
  const { version } = db.prepare('select sqlite_version() as version').get() as { version: string }
  db.close()
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    sqlite: version,
  }
}

/** What a machine is, in a line. */
export function inWords({ cores, processor, memoryGb, platform, node, sqlite }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGb} GB, ${platform}; Node ${node}, SQLite ${sqlite}`
}
