import { andThen, type Soon } from '../db/soon.ts'

/**
 * What a handler answers with, which may be there at once: Fastify sends that too, but its types tell of promises
 * alone. That there is no body (304) it takes from a promise alone: for undefined as such it waits for ever, and null
 * is JSON.
 */
export function answerWith<Body>(body: Soon<Body | undefined>): Promise<Body | undefined> {
  return andThen(body, (body) => body ?? Promise.resolve(undefined)) as Promise<Body | undefined>
}
