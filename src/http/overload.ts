import type { FastifyInstance } from 'fastify'
import { unavailable } from '../problems.ts'
import { routeOf } from './requests.ts'

const sampleMs = 250
const longestLagMs = 1_000

/** Sheds requests while the event loop lags by more than a second; the health check is always answered. */
export function shedOverload(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined
  let lagMs = 0
  app.addHook('onReady', async () => {
    let due = performance.now() + sampleMs
    timer = setInterval(() => {
      const now = performance.now()
      lagMs = now - due
      due = now + sampleMs
    }, sampleMs)
    timer.unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', (request, _reply, done) => {
    if (lagMs > longestLagMs && routeOf(request).url !== '/api/health') {
      throw unavailable('overloaded', 'The server is overloaded just now; try again shortly.')
    }
    done()
  })
}
