import { unavailable } from '../problems.ts'
import type { App } from './context.ts'

/** How an app ends: first told, then closed. */
export interface Shutdown {
  begin(): void
  hasBegun(): boolean
}

/**
 * Lets the app end in order. Once it has begun to, a request that arrives is refused with 503, and each answer
 * ends its connection. Closing the app waits, still listening, until the open requests are answered: so long
 * can the health check tell that it is going.
 */
export function endInOrder(app: App): Shutdown {
  let begun = false
  let open = 0
  let onLastAnswer = () => {}

  app.addHook('onRequest', async (request, reply) => {
    open++
    let isOpen = true
    const answered = () => {
      if (isOpen && --open === 0) onLastAnswer()
      isOpen = false
    }
    reply.raw.once('finish', answered).once('close', answered)
    if (begun && request.routeOptions.url !== '/api/health')
      throw unavailable('shutting_down', 'The server is shutting down; try again shortly.')
  })
  app.addHook('onSend', async (_request, reply) => {
    if (begun) reply.header('Connection', 'close')
  })
  app.addHook('preClose', async () => {
    if (open > 0) await new Promise<void>((resolve) => (onLastAnswer = resolve))
  })

  return {
    begin: () => {
      begun = true
    },
    hasBegun: () => begun,
  }
}
