import { join } from 'node:path'
import { type LoadResult, load } from './client.ts'
import { median } from './figures.ts'
import { inTemporaryFolder } from './folder.ts'
import type { Options } from './options.ts'
import { readOnThread } from './read-on-thread.ts'
import { create } from './requests.ts'
import { seed } from './seed.ts'
import { startOnSlowDisk } from './servers.ts'
import { figure, table } from './table.ts'

const flushDelayMs = 5
const manyClients = 64
/** What issue 2 asks for: 64 clients create at least so many times what one does. */
const goal = 20
const warmUpSeconds = 1

interface Round {
  readonly one: LoadResult
  readonly undisturbed: LoadResult
  readonly many: LoadResult
  readonly disturbed: LoadResult
}

/**
 * Measures on a disk whose flushes take 5 ms how much more 64 clients create than one, and what a reader
 * notices of it. @returns the figures, for programs
 */
export async function benchSharedCommits({ scale, seconds, rounds }: Options): Promise<object> {
  const measured: Round[] = []
  await inTemporaryFolder(async (folder) => {
    const databaseUrl = `sqlite:${join(folder, 'registrar.db')}`
    const seeded = await seed(databaseUrl, scale)
    const { port, stop } = await startOnSlowDisk(databaseUrl, flushDelayMs)
    const read = () => readOnThread({ port, seeded, seconds, warmUpSeconds })
    const createWith = (connections: number) =>
      load({ port, connections, seconds, warmUpSeconds, next: create(seeded) })
    for (let round = 0; round < rounds; round++) {
      const one = await createWith(1)
      const undisturbed = await read()
      const [many, disturbed] = await Promise.all([createWith(manyClients), read()])
      measured.push({ one, undisturbed, many, disturbed })
    }
    await stop()
  })
  return report(measured, scale)
}

function report(rounds: readonly Round[], scale: number): object {
  const middle = (value: (round: Round) => number) => median(rounds.map(value))
  const row = (title: string, pick: (round: Round) => LoadResult) => [
    title,
    figure(middle((round) => pick(round).perSecond)),
    figure(
      middle((round) => pick(round).p50),
      2,
    ),
    figure(
      middle((round) => pick(round).p99),
      2,
    ),
  ]
  const gain = middle(({ one, many }) => many.perSecond / one.perSecond)
  console.log(`shared commits: each flush takes ${flushDelayMs} ms more; ${figure(scale)} students\n`)
  console.log(
    table(
      ['what', 'per second', 'p50 ms', 'p99 ms'],
      [
        row('create, 1 client', ({ one }) => one),
        row(`create, ${manyClients} clients`, ({ many }) => many),
        row('get one every 5 ms, undisturbed', ({ undisturbed }) => undisturbed),
        row(`get one every 5 ms, beside ${manyClients} creating`, ({ disturbed }) => disturbed),
      ],
    ),
  )
  console.log(`\n${manyClients} clients create ${figure(gain, 1)} times what one does (goal: ${goal})`)

  const failures = rounds.flatMap((round) => Object.values(round).map((result) => result.failures))
  const failed = failures.filter((failure) => Object.keys(failure).length > 0)
  if (failed.length > 0) {
    console.error(`\nFAILED: not every answer was 2xx: ${JSON.stringify(failed)}`)
    process.exitCode = 1
  }
  return { flushDelayMs, scale, gain, goal, rounds }
}
