import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { atEnd } from './cleanup.ts'

/** Cuts a stream of PostgreSQL's protocol into its messages (PostgreSQL, "Message Formats"). */
function messages(hasType: boolean, onMessage: (type: string, message: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let start = hasType ? 1 : 0
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= start + 4) {
      const length = start + rest.readInt32BE(start)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      onMessage(start === 1 ? String.fromCharCode(message[0]!) : '', message)
      start = 1
    }
  }
}

/** What a CancelRequest holds in place of the protocol's version. */
const cancelCode = 80_877_102

/** Stands between a server and PostgreSQL, and looks at what they say to each other. */
export class PostgresProxy {
  /** Whether it tells, as a pooler does, of a process that is not the one which answers. */
  isPooler = false
  /** Whether it passes requests to cancel a statement on, as a pooler does for the process that it told of. */
  passesCancels = true
  /** The process that answers, by the secret that cancels its statements. */
  readonly #processes = new Map<number, number>()
  /** The most statements that were on their way on one connection. */
  mostUnanswered = 0
  /** Cuts a connection on which so many are on their way, once. */
  cutAt = Infinity
  cuts = 0
  /** How many connections were opened, and the most that were open at once. */
  opened = 0
  mostOpen = 0
  /** How many connections were not taken while it was cut off, and who waits for so many. */
  #turnedAway = 0
  readonly #waiting = new Map<number, () => void>()
  #open = 0
  #isCutOff = false
  readonly #upstream: URL
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(upstream: URL) {
    this.#upstream = upstream
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket))
  }

  static async start(databaseUrl: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(new URL(databaseUrl))
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening')
    atEnd(() => {
      for (const socket of proxy.#sockets) socket.destroy()
      return new Promise((closed) => proxy.#server.close(closed))
    })
    return proxy
  }

  get url(): string {
    const url = new URL(this.#upstream)
    url.hostname = '127.0.0.1'
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  /** Ends all connections and takes no more, as a network that is down, or is there again. */
  cutOff(isCutOff: boolean): void {
    this.#isCutOff = isCutOff
    if (isCutOff) for (const socket of this.#sockets) socket.destroy()
  }

  /** Resolves when so many connections were not taken since it began. */
  whenTurnedAway(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#turnedAway >= count) resolve()
      else this.#waiting.set(count, resolve)
    })
  }

  #serve(client: Socket): void {
    if (this.#isCutOff) {
      this.#waiting.get(++this.#turnedAway)?.()
      return void client.destroy()
    }
    this.opened++
    this.mostOpen = Math.max(this.mostOpen, ++this.#open)
    client.once('close', () => this.#open--)
    const database = connect({
      port: Number(this.#upstream.port),
      host: this.#upstream.hostname,
      noDelay: true,
    })
    const cut = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      this.#sockets.add(socket)
      socket.on('error', cut).on('close', cut)
    }
    let unanswered = 1 // the start
    const fromClient = messages(false, (type, message) => {
      if (type === 'S' || type === 'Q') unanswered++ // Sync, Query
      this.mostUnanswered = Math.max(this.mostUnanswered, unanswered)
      if (unanswered >= this.cutAt) {
        this.cutAt = Infinity
        this.cuts++
        cut()
      }
      if (type === '' && message.readInt32BE(4) === cancelCode) {
        if (!this.passesCancels) return cut()
        message.writeInt32BE(this.#processes.get(message.readInt32BE(12))!, 8)
      }
      database.write(message)
    })
    const fromDatabase = messages(true, (type, message) => {
      if (type === 'Z') unanswered-- // ReadyForQuery
      if (type === 'K') {
        this.#processes.set(message.readInt32BE(9), message.readInt32BE(5)) // BackendKeyData: process and secret
        if (this.isPooler) message.writeInt32BE(1, 5)
      }
      client.write(message)
    })
    client.on('data', fromClient)
    database.on('data', fromDatabase)
  }
}
