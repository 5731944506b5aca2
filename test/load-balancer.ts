import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './cleanup.ts'

const checkEveryMs = 50

/** One server behind the balancer. */
interface Backend {
  readonly url: string
  healthy: boolean
  readonly agent: Agent
}

/**
 * A small load balancer: asks each server for its health, and gives each request to the next healthy one. It
 * retries nothing: a failed request reaches the client as 502.
 */
export class LoadBalancer {
  readonly #backends = new Map<string, Backend>()
  readonly #server: Server
  readonly #checks: NodeJS.Timeout
  #turn = 0

  private constructor() {
    this.#server = createServer((incoming, outgoing) => {
      const healthy = [...this.#backends.values()].filter((backend) => backend.healthy)
      const backend = healthy[this.#turn++ % healthy.length]
      if (backend === undefined) return void outgoing.writeHead(502).end()
      const { method, headers, url = '/' } = incoming
      const onward = request(
        new URL(url, backend.url),
        { method, headers, agent: backend.agent },
        (answer) => {
          outgoing.writeHead(answer.statusCode!, answer.headers)
          answer.pipe(outgoing)
        },
      )
      onward.on('error', () => outgoing.writeHead(502).end())
      incoming.pipe(onward)
    })
    this.#checks = setInterval(() => this.#check(), checkEveryMs)
  }

  static async start(): Promise<LoadBalancer> {
    const balancer = new LoadBalancer()
    await once(balancer.#server.listen(0, '127.0.0.1'), 'listening')
    atEnd(() => balancer.stop())
    return balancer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Adds a server; it gets requests once it is healthy. Resolves then. */
  async add(url: string): Promise<void> {
    this.#backends.set(url, { url, healthy: false, agent: new Agent({ keepAlive: true }) })
    while (this.#backends.get(url)?.healthy === false)
      await new Promise((resolve) => setTimeout(resolve, checkEveryMs))
  }

  remove(url: string): void {
    this.#backends.get(url)?.agent.destroy()
    this.#backends.delete(url)
  }

  stop(): void {
    clearInterval(this.#checks)
    for (const { agent } of this.#backends.values()) agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #check(): void {
    for (const backend of this.#backends.values()) {
      fetch(`${backend.url}/api/health`)
        .then(({ status }) => {
          backend.healthy = status === 200
        })
        .catch(() => {
          backend.healthy = false
        })
    }
  }
}
