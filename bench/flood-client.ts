import { setPriority } from 'node:os'
import { keepBusy } from './client.ts'
import { logInAs } from './requests.ts'

/*
 * A flood of logins, as a process of its own: so many connections without pause, until it is killed. At each
 * message it tells what it has been answered since the last.
 */

/** What the flood is made of, as JSON in the first argument. */
export interface FloodTask {
  readonly port: number
  readonly connections: number
  /** The addresses that it comes from, in turn. */
  readonly from: readonly string[]
  /** Accounts, and the password that is right for all of them. */
  readonly emails: readonly string[]
  readonly password: string
  /** How many of ten passwords are wrong. */
  readonly wrongOfTen: number
  /** The priority of the process, as nice(1) counts: 19 leaves the cores to the server whenever it wants them. */
  readonly nice: number
}

/** What the flood was answered, by status, and what it used of one core. */
export interface FloodReport {
  readonly answers: Readonly<Record<string, number>>
  readonly busy: number
}

const { port, connections, from, emails, password, wrongOfTen, nice }: FloodTask = JSON.parse(
  process.argv[2]!,
)
setPriority(nice)
let answers: Record<string, number> = {}
let turn = 0
const next = () => {
  const isWrong = turn % 10 < wrongOfTen
  return logInAs(emails[turn++ % emails.length]!, isWrong ? `${password}?` : password)
}
const count = (what: string) => {
  answers[what] = (answers[what] ?? 0) + 1
}
const openOne = (i: number): Promise<void> =>
  keepBusy({ port, from: from[i % from.length]! }, next, {
    everyMs: 0,
    beginsAfterMs: 0,
    goesOn: () => true,
    onAnswer: ({ status, retryAfter }) =>
      count(status >= 429 && !(retryAfter >= 1) ? `${status} without Retry-After` : String(status)),
    onBroken: count,
  }).then(() => openOne(i))
for (let i = 0; i < connections; i++) void openOne(i)

let cpu = process.cpuUsage()
let began = performance.now()
process.on('message', () => {
  const { user, system } = process.cpuUsage(cpu)
  const busy = (user + system) / 1000 / (performance.now() - began)
  process.send!({ answers, busy } satisfies FloodReport)
  answers = {}
  cpu = process.cpuUsage()
  began = performance.now()
})
