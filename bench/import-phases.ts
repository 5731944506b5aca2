import { ImportClient, type ShownImport } from './import-client.ts'
import type { ServerProcess } from './servers.ts'
import { readEventLoop, readFamilyCpu, readUsage } from './usage.ts'

/** What an import does, one after another; `unchanged` is the plan of a file that is there already. */
export const phases = ['read', 'survey', 'plan', 'apply', 'unchanged', 'undo'] as const
export type Phase = (typeof phases)[number]

/** What a phase took, in seconds. */
export interface PhaseCost {
  readonly seconds: number
  /** CPU time of all threads of the server, of its event loop alone, and of the database's processes. */
  readonly cpu: number
  readonly loopCpu: number
  readonly databaseCpu: number
  /** How long the event loop waited for a core: what else ran on the machine. */
  readonly loopWaited: number
}

/** A server, and the first process of its database, where that is another. */
export interface Served {
  readonly server: ServerProcess
  readonly databasePid: number | undefined
}

/** Follows imports through their phases. */
export class PhaseWatch {
  readonly #served: Served
  readonly #client: ImportClient
  readonly costs = new Map<Phase, PhaseCost>()

  constructor(served: Served, token: string) {
    this.#served = served
    this.#client = new ImportClient(served.server.port, token)
  }

  /** Has a file read and planned. @returns the id of the import */
  async plan(file: Buffer, outcome: 'create' | 'unchanged'): Promise<number> {
    const id = await this.#client.upload(file)
    let begun = this.#mark()
    let phase: Phase = 'read'
    const next = (to: Phase) => {
      const mark = this.#mark()
      this.#add(outcome === 'create' ? phase : 'unchanged', begun, mark)
      ;[phase, begun] = [to, mark]
    }
    const planned = await this.#client.until(id, 'planned', (imported) => {
      const reached = phaseOf(imported)
      if (reached !== phase) next(reached)
    })
    next('apply')
    const { rows, [outcome]: as } = planned.counts!
    if (as !== rows) throw new Error(`not all rows are ${outcome}: ${JSON.stringify(planned.counts)}`)
    return id
  }

  async apply(id: number): Promise<void> {
    const begun = this.#mark()
    await this.#client.apply(id)
    await this.#client.until(id, 'applied')
    this.#add('apply', begun, this.#mark())
  }

  async undo(id: number): Promise<void> {
    const begun = this.#mark()
    await this.#client.undo(id)
    await this.#client.until(id, 'undone')
    this.#add('undo', begun, this.#mark())
  }

  #mark(): PhaseCost {
    const { server, databasePid } = this.#served
    const loop = readEventLoop(server.pid)
    const inSeconds = (microseconds: number | undefined) => (microseconds ?? Number.NaN) / 1e6
    return {
      seconds: performance.now() / 1000,
      cpu: inSeconds(readUsage(server.pid)?.cpuMicroseconds),
      loopCpu: inSeconds(loop?.cpuMicroseconds),
      databaseCpu: databasePid === undefined ? 0 : inSeconds(readFamilyCpu(databasePid)),
      loopWaited: inSeconds(loop?.waitedMicroseconds),
    }
  }

  #add(phase: Phase, begun: PhaseCost, ended: PhaseCost): void {
    const before = this.costs.get(phase)
    const took = (name: keyof PhaseCost) => (before?.[name] ?? 0) + ended[name] - begun[name]
    const [seconds, cpu, loopCpu] = [took('seconds'), took('cpu'), took('loopCpu')]
    this.costs.set(phase, {
      ...{ seconds, cpu, loopCpu },
      ...{ databaseCpu: took('databaseCpu'), loopWaited: took('loopWaited') },
    })
  }
}

function phaseOf({ state, file, decided }: ShownImport): Phase {
  if (state !== 'reading') return 'plan'
  if (file.header === null) return 'read'
  return Object.keys(decided).length === 0 ? 'survey' : 'plan'
}
