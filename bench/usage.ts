import { existsSync, readFileSync } from 'node:fs'

/** What a process has used so far, as Linux tells in /proc; elsewhere nothing is known. */
export interface Usage {
  /** CPU time of all its threads, in microseconds, to the next 10 000. */
  readonly cpuMicroseconds: number
  /** Resident memory in MB: now, and the most so far. */
  readonly residentMb: number
  readonly peakResidentMb: number
}

/** USER_HZ: what /proc/<pid>/stat counts in, 100 a second on every Linux that Node runs on (proc(5)). */
const microsecondsPerTick = 10_000

/** Reads a process's usage. @returns undefined where there is no /proc */
export function readUsage(pid: number): Usage | undefined {
  if (!existsSync(`/proc/${pid}/stat`)) return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field, the program's name, may hold spaces: count from behind its parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string) =>
    Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024)
  return {
    cpuMicroseconds: ticks * microsecondsPerTick,
    residentMb: megabytes('VmRSS'),
    peakResidentMb: megabytes('VmHWM'),
  }
}
