import { randomUUID } from 'node:crypto'
import { Problem, problemBody } from '../problems.ts'
import type { Refusal, RefusedBecause } from '../server/refusals.ts'
import { commonHeaders, methodNotImplemented, uriTooLong } from './requests.ts'

const problems: Readonly<Record<RefusedBecause, () => Problem>> = {
  'not HTTP': () => new Problem('malformed_request', 'The request is not valid HTTP.'),
  'too late': () =>
    new Problem(
      'request_timeout',
      'The headers must arrive within 5 seconds, the body within 10 more. A file of an import has 10 minutes, and 32 seconds for each 256 KiB.',
    ),
  'headers too large': () => new Problem('headers_too_large', 'The headers may have at most 16384 bytes.'),
  'request line too long': uriTooLong,
  CONNECT: methodNotImplemented,
  expectation: () => new Problem('expectation_failed', 'Only Expect: 100-continue is understood.'),
}

/** The shape of what the server answers by itself: that of all problems. */
export function problemRefusal(because: RefusedBecause): Refusal {
  const problem = problems[because]()
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(problem, requestId))
  const headers = {
    ...commonHeaders,
    'X-Request-Id': requestId,
    'Content-Type': 'application/problem+json; charset=utf-8',
  }
  return { status: problem.status, reason: problem.title, headers, body }
}
