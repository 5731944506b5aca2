import type { FastifyInstance } from 'fastify'

type Done = (error?: Error) => void

/** Collects those who come to it in one turn of the event loop, and lets them go on together. */
function stage(): (done: Done) => void {
  let waiting: Done[] = []
  const goOn = () => {
    const together = waiting
    waiting = []
    for (const done of together) {
      try {
        done()
      } catch (error) {
        done(error as Error) // what a hook that waited for nothing would have thrown: 500
      }
    }
  }
  return (done) => {
    if (waiting.push(done) === 1) queueMicrotask(goOn)
  }
}

/**
 * Has requests that are handled together (`batches.ts`) go from stage to stage together: all are routed and their
 * callers known, all are validated, all are read for, all are sent, then all are logged. The code of one stage stays
 * in the processor's caches meanwhile; that of all of them does not fit. One that comes alone waits for nothing.
 * Call after the other `onRequest`, `preHandler` and `onSend` hooks, and before those of `onResponse`.
 */
export function goInStages(app: FastifyInstance): void {
  const [admitted, validated, answered, sent] = [stage(), stage(), stage(), stage()]
  app.addHook('onRequest', (_request, _reply, done) => admitted(done))
  app.addHook('preHandler', (_request, _reply, done) => validated(done))
  app.addHook('onSend', (_request, _reply, _payload, done) => answered(done))
  app.addHook('onResponse', (_request, _reply, done) => sent(done))
}
