import { andThen, type Soon } from '../db/soon.ts'

/**
 * What a handler answers with, which may be there at once: Fastify sends that too, but its types tell of promises
 * alone. To answer without a body (304), it takes null, and waits for ever for undefined.
 */
export function answerWith<Body>(body: Soon<Body | undefined>): Promise<Body | undefined> {
  return andThen(body, (body) => body ?? null) as Promise<Body | undefined>
}
