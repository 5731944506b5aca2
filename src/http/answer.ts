import { andThen, type Soon } from '../db/soon.ts'

/*
 * What a handler answers with, which may be there at once: Fastify sends that too, but its types tell of promises alone.
 * For a handler that returns the reply it waits until that is sent, by listeners on the response.
 */

/** That there is no body (304) Fastify takes from a promise alone: for undefined it waits for ever, and null is JSON. */
export function answerWith<Body>(body: Soon<Body | undefined>): Promise<Body | undefined> {
  return andThen(body, (body) => body ?? Promise.resolve(undefined)) as Promise<Body | undefined>
}

/** A body that is JSON already, as bytes: it is sent as it is, past the answer's schema. */
export function answerWithJson(json: Soon<Uint8Array>): Promise<never> {
  return json as Promise<never>
}
