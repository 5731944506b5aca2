import type { Answer } from './school.ts'

/** Asks again while the server is overloaded, as a patient client does: on a slow machine fifty hashes take long. */
export async function persistently(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503 || answer.body.code !== 'overloaded') return answer
  }
}
