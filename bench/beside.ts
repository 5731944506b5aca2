import { keepBusy, type Requests } from './client.ts'
import { quantile } from './figures.ts'
import { create, getOne } from './requests.ts'
import type { Seeded } from './seed.ts'

/** How long others waited for their answers while something was done, in milliseconds. */
export interface Beside {
  readonly during: string
  readonly readP50: number
  readonly readP99: number
  readonly writeP50: number
  readonly writeP99: number
}

/** How often a student is read, and one created, in milliseconds. */
const [readEveryMs, writeEveryMs] = [5, 50]

/** Reads and creates students while something is done. @throws where an answer is not 2xx */
export async function loadBeside(
  port: number,
  seeded: Seeded,
  during: string,
  work: () => Promise<unknown>,
): Promise<Beside> {
  let goesOn = true
  const failures: (string | number)[] = []
  const clients = [
    { next: getOne(seeded), everyMs: readEveryMs },
    { next: create(seeded), everyMs: writeEveryMs },
  ].map(({ next, everyMs }) => timesOf(port, next, everyMs, () => goesOn, failures))
  try {
    await work()
  } finally {
    goesOn = false
  }
  const [reads, writes] = await Promise.all(clients)
  if (failures.length > 0) throw new Error(`not every answer was 2xx: ${failures.slice(0, 5).join()}`)
  return {
    during,
    ...{ readP50: quantile(reads!, 0.5), readP99: quantile(reads!, 0.99) },
    ...{ writeP50: quantile(writes!, 0.5), writeP99: quantile(writes!, 0.99) },
  }
}

async function timesOf(
  port: number,
  next: Requests,
  everyMs: number,
  goesOn: () => boolean,
  failures: (string | number)[],
): Promise<Float64Array> {
  const times: number[] = []
  await keepBusy({ port, from: '127.0.0.1' }, () => next(0), {
    ...{ everyMs, beginsAfterMs: 0, goesOn },
    onAnswer: ({ status }, milliseconds) => {
      if (status < 200 || status > 299) failures.push(status)
      times.push(milliseconds)
    },
    onBroken: (code) => failures.push(code),
  })
  return Float64Array.from(times).sort()
}
