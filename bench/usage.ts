import { existsSync, readdirSync, readFileSync } from 'node:fs'

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
  const fields = readStat(pid)
  if (fields === undefined) return undefined
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string) =>
    Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024)
  return {
    cpuMicroseconds: cpuOf(fields),
    residentMb: megabytes('VmRSS'),
    peakResidentMb: megabytes('VmHWM'),
  }
}

/**
 * CPU time of a process and its children, in microseconds: those that live, and those that have ended.
 * @returns undefined where there is no /proc
 */
export function readFamilyCpu(pid: number): number | undefined {
  const parent = readStat(pid)
  if (parent === undefined) return undefined
  const ended = (Number(parent[13]) + Number(parent[14])) * microsecondsPerTick
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => [readStat(Number(name)) ?? []])
    .filter((fields) => Number(fields[1]) === pid)
  return [parent, ...children].reduce((sum, fields) => sum + cpuOf(fields), ended)
}

/** CPU time of all processes of this machine, in microseconds. @returns undefined where there is no /proc */
export function readMachineCpu(): number | undefined {
  if (!existsSync('/proc/stat')) return undefined
  const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/ +/).slice(1).map(Number)
  const idle = fields[3]! + fields[4]!
  return (fields.slice(0, 8).reduce((sum, ticks) => sum + ticks, 0) - idle) * microsecondsPerTick
}

/** The process that started this one. @returns undefined where there is no /proc */
export function parentOf(pid: number): number | undefined {
  const fields = readStat(pid)
  return fields && Number(fields[1])
}

function cpuOf(fields: readonly string[]): number {
  return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick
}

/** What stands in /proc/<pid>/stat behind the program's name: state, parent … user time is the 12th. */
function readStat(pid: number): string[] | undefined {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return undefined
  try {
    const stat = readFileSync(path, 'utf8')
    // The program's name may hold spaces: count from behind its parenthesis.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined // it has just ended
  }
}

/** What a process's first thread used so far: on a CPU, and waiting for one, in microseconds. */
export interface ThreadUsage {
  readonly cpuMicroseconds: number
  readonly waitedMicroseconds: number
}

/** Reads what the event loop's thread of a process used. @returns undefined where there is no /proc */
export function readEventLoop(pid: number): ThreadUsage | undefined {
  const path = `/proc/${pid}/task/${pid}/schedstat`
  if (!existsSync(path)) return undefined
  const [cpu = 0, waited = 0] = readFileSync(path, 'utf8').split(' ').map(Number)
  return { cpuMicroseconds: cpu / 1000, waitedMicroseconds: waited / 1000 }
}
