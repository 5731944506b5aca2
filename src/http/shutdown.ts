import { unavailable } from '../problems.ts'
import type { App } from './context.ts'
import { routeOf } from './requests.ts'

/** How an app ends: first it drains, then it refuses what is new, then it is closed. */
export interface Shutdown {
  /** Health is 503 from now on, and each answer ends its connection; all else is served. */
  drain(): void
  /** A request that arrives from now on is 503. */
  refuse(): void
  hasBegun(): boolean
}

/**
 * Lets the app end in order. While it drains, load balancers see it going and send no more. Closing the app waits,
 * still listening, until the open requests are answered: so long can the health check tell that it is going.
 */
export function endInOrder(app: App): Shutdown {
  let draining = false
  let refusing = false
  let open = 0
  let onLastAnswer = () => {}

  // A response closes once, whether it was sent whole or its client has gone.
  const onClosed = () => {
    if (--open === 0) onLastAnswer()
  }
  app.addHook('onRequest', (request, reply, done) => {
    open++
    reply.raw.on('close', onClosed)
    if (refusing && routeOf(request).url !== '/api/health')
      throw unavailable('shutting_down', 'The server is shutting down; try again shortly.')
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) reply.header('Connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    if (refusing && open > 0) await new Promise<void>((resolve) => (onLastAnswer = resolve))
  })

  return {
    drain: () => {
      draining = true
    },
    refuse: () => {
      draining = true
      refusing = true
    },
    hasBegun: () => draining,
  }
}
