import type { Seeded } from './seed.ts'
import type { ServerProcess } from './servers.ts'

/**
 * What `bench/peers/<name>/peer.ts` exports as `startPeer`: it installs what the server needs at its first
 * use, copies accounts and students into a database of its own in `folder`, and starts the server.
 * @returns the server, and what was seeded with tokens that this server takes
 */
export type StartPeer = (folder: string, registrarDatabasePath: string, seeded: Seeded) => Promise<Peer>

export interface Peer {
  readonly server: ServerProcess
  readonly seeded: Seeded
}

/** Starts another server for the same contract. */
export async function startPeer(name: string, ...task: Parameters<StartPeer>): Promise<Peer> {
  const module = new URL(`./peers/${name}/peer.ts`, import.meta.url).href
  const { startPeer } = (await import(module)) as { startPeer: StartPeer }
  return startPeer(...task)
}
