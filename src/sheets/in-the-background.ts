import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/* What keeps long work from those who wait for an answer. */

/** How much less a thread is worth than the server, from 1 to 19. */
const niceness = 10
const leastWorth = 19

/**
 * Lets a thread take the cores that the server leaves. Call it in the thread. Elsewhere than on Linux a priority is of
 * the whole process, and stays as it is; it does so too where the system forbids the change.
 */
export function giveWay(): void {
  if (process.platform === 'linux') unlessForbidden(() => lower(0))
}

/**
 * Lets V8's own threads take the cores that the server leaves: they mark what lives while the server works, and took a
 * core from it for 4 to 16 ms. Linux alone has threads with a priority of their own, and tells their names.
 */
export function letV8GiveWay(): void {
  if (process.platform !== 'linux') return
  const tasks = '/proc/self/task'
  unlessForbidden(() => {
    for (const thread of readdirSync(tasks))
      if (readFileSync(`${tasks}/${thread}/comm`, 'utf8').startsWith('V8Worker')) lower(Number(thread))
  })
}

/** @param thread its number; 0: the one that calls */
function lower(thread: number): void {
  setPriority(thread, Math.min(leastWorth, getPriority(thread) + niceness))
}

function unlessForbidden(change: () => void): void {
  try {
    change()
  } catch {
    // A filter of system calls forbids it (systemd's @resources), or there is no /proc: all is done without it.
  }
}

/**
 * Gives back the memory of bytes that are used up, if no others share it. V8 would do it much later: it looks at the
 * small objects that it holds itself.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
