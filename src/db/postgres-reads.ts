import type { Socket } from 'node:net'
import type pg from 'pg'
import type { PostgresDriver } from './postgres.ts'
import { DatabaseUnavailableError, isConnectionFault, isTimeLimit } from './violations.ts'

/** How many statements one connection is sent together: more would leave the database's other cores idle. */
const mostTogether = 8

/** What reads need of the driver. */
type Connections = Pick<PostgresDriver, 'mayPipeline' | 'connect' | 'read' | 'release'>

interface WaitingRead {
  readonly send: (client: pg.PoolClient) => Promise<pg.QueryResult>
  readonly resolve: (result: pg.QueryResult) => void
  readonly reject: (error: unknown) => void
}

/** Reads outside of transactions. One that lost its connection is tried once more. */
export class PostgresReads {
  readonly #connections: Connections
  readonly #waiting: WaitingRead[] = []
  /** How many connections are waited for. */
  #asked = 0
  #isAsking = false
  #allIn: Promise<void> | undefined

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** A statement that may take long: it has a connection to itself, and holds up no other. */
  alone(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return orOnceMore(async () => {
      const client = await this.#connections.connect()
      try {
        const result = await this.#connections.read(client, text, values)
        this.#connections.release(client, false)
        await this.#whenAllAreIn()
        return result
      } catch (error) {
        this.#connections.release(client, isConnectionFault(error))
        throw error
      }
    })
  }

  /**
   * A statement that is always quick: it shares a connection with those that come with it, or while they wait for
   * one. All are sent in one piece, and the database need not wait for the next while the answer to the last is
   * under way (pipelining: PostgreSQL's "Pipelining in the extended query protocol"). Each has its own snapshot and
   * its own error.
   */
  together(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return orOnceMore(async () => {
      const result = await new Promise<pg.QueryResult>((resolve, reject) => {
        const send = (client: pg.PoolClient) => this.#connections.read(client, text, values)
        this.#waiting.push({ send, resolve, reject })
        this.#askSoon()
      })
      await this.#whenAllAreIn()
      return result
    })
  }

  #askSoon(): void {
    if (this.#isAsking) return
    this.#isAsking = true
    process.nextTick(() => {
      this.#isAsking = false
      this.#ask()
    })
  }

  /** Waits for as many connections as those need who wait. */
  #ask(): void {
    while (this.#asked * this.#atOnce < this.#waiting.length) {
      this.#asked++
      void this.#sendSome()
    }
  }

  async #sendSome(): Promise<void> {
    let client: pg.PoolClient
    try {
      client = await this.#connections.connect()
    } catch (error) {
      for (const { reject } of this.#take()) reject(error)
      return
    }
    let isLost = false
    const stream = streamOf(client)
    stream.cork()
    const sent = this.#take().map(({ send, resolve, reject }) =>
      send(client).then(resolve, (error: unknown) => {
        // What fails behind one that was ended may fail since that did: a statement is prepared by the first of its name.
        const isOwn = !isLost || isTimeLimit(error)
        if (isConnectionFault(error) || isTimeLimit(error)) {
          isLost = true
          stream.destroy() // the others, which might wait as long one after the other, are tried once more
        }
        reject(isOwn ? error : new DatabaseUnavailableError('the connection was cut', { cause: error }))
      }),
    )
    stream.uncork()
    await Promise.all(sent)
    this.#connections.release(client, isLost)
  }

  /**
   * Resolves for all who wait when the answers of one event-loop poll are read. Going on together spares a tenth of a
   * request's CPU time under load (`server/batches.ts`).
   */
  #whenAllAreIn(): Promise<void> {
    this.#allIn ??= new Promise((resolve) =>
      setImmediate(() => {
        this.#allIn = undefined
        resolve()
      }),
    )
    return this.#allIn
  }

  get #atOnce(): number {
    return this.#connections.mayPipeline ? mostTogether : 1
  }

  #take(): WaitingRead[] {
    const taken = this.#waiting.splice(0, this.#atOnce)
    this.#asked--
    this.#ask()
    return taken
  }
}

/** What a connection writes to; its types leave it out. */
export function streamOf(client: pg.PoolClient): Socket {
  return (client as pg.PoolClient & { connection: { stream: Socket } }).connection.stream
}

async function orOnceMore(read: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
  try {
    return await read()
  } catch (error) {
    if (isConnectionFault(error)) return read()
    throw error
  }
}
