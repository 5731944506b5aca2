import { getPriority, setPriority } from 'node:os'

/* What keeps long work on files from those who wait for an answer. */

/** How much less a thread is worth than the server, from 1 to 19. */
const niceness = 10
const leastWorth = 19

/**
 * Lets a thread take the cores that the server leaves. Call it in the thread. Elsewhere than on Linux a priority is of
 * the whole process, and stays as it is; it does so too where the system forbids the change.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(leastWorth, getPriority() + niceness))
  } catch {
    // A filter of system calls forbids it (systemd's @resources): the file is read all the same.
  }
}

/**
 * Gives back the memory of bytes that are used up, if no others share it. V8 would do it much later: it looks at the
 * small objects that it holds itself.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
