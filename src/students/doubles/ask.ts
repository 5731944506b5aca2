import type { Worker } from 'node:worker_threads'
import { DatabaseUnavailableError } from '../../db/violations.ts'

/**
 * Asks a thread, which answers each message with one, or fails from its end on. Students that are sent as bytes are
 * given away.
 */
export function askOf<Sent extends { readonly students: Uint8Array | string | null }, Reply>(
  thread: Worker,
): (sent: Sent) => Promise<Reply> {
  const ended = new Promise<never>((_, reject) => {
    thread.once('error', reject)
    thread.once('exit', () =>
      reject(new DatabaseUnavailableError('a thread that compares students was ended')),
    )
  })
  ended.catch(() => {}) // told to who asks
  return (sent) => {
    const reply = new Promise<Reply>((resolve) => thread.once('message', resolve))
    const { students } = sent
    thread.postMessage(sent, students instanceof Uint8Array ? [students.buffer as ArrayBuffer] : [])
    return Promise.race([reply, ended])
  }
}
