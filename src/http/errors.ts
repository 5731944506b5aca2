import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DatabaseFault, DatabaseStateError, databaseFaultOf } from '../db/violations.ts'
import { closing, Problem, type ProblemCode, problemBody, unavailable } from '../problems.ts'
import type { Outages } from './outages.ts'
import { validationProblem } from './validation.ts'

/** The largest request body, in bytes. */
export const maxBodyBytes = 65_536

/** The one error handler: whatever is thrown becomes `application/problem+json` (RFC 9457). */
export function answerProblems(app: FastifyInstance, outages: Outages): void {
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const problem = asProblem(error)
    const { code, status, cause } = problem
    if (code === 'database_unavailable' && cause !== undefined) outages.note(cause)
    else if (status >= 500 && cause !== undefined) logFault(request, problem)
    return sendProblem(reply, problem)
  })
  app.setNotFoundHandler(() => {
    throw routeNotFound()
  })
}

export function routeNotFound(): Problem {
  const detail = 'There is nothing at this path; GET /api/openapi.json lists what there is.'
  return new Problem('route_not_found', detail)
}

/** Sends a problem; the body is serialised here, since an answer's schema never fits it. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.code(problem.status).headers(problem.headers).type('application/problem+json')
  if (problem.closeConnection) reply.header('Connection', 'close')
  return reply.serializer(JSON.stringify).send(problemBody(problem, reply.request.id))
}

/** Fastify's own errors, by their codes; what else it refuses is malformed. */
const fastifyProblems: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_request',
    'The body is not as long as Content-Length says.',
  ],
  FST_ERR_BAD_URL: ['malformed_request', 'The path is not percent-encoded UTF-8.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'The path is too long.'],
}

/** What callers are told of a database that fails them, and after how many seconds they may ask again. */
const databaseProblems: Readonly<Record<DatabaseFault, readonly [seconds: number, detail: string]>> = {
  database_unavailable: [1, 'The database is not available just now; try again shortly.'],
  database_damaged: [60, 'The database is damaged, and cannot do this. Tell whoever runs the server.'],
  database_file_gone: [
    60,
    "The database's file is gone, and nothing is written. Tell whoever runs the server.",
  ],
}

/** What a thrown value means to the caller. What nobody foresaw is a 500 that says nothing. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const fault = databaseFaultOf(error)
  if (fault !== undefined) {
    const [seconds, detail] = databaseProblems[fault]
    const cause = error instanceof DatabaseStateError ? undefined : error // its state is in the log already, once
    return unavailable(fault, detail, { seconds, cause })
  }
  const { validation, code, statusCode } = error as FastifyError
  if (validation) return validationProblem(error as FastifyError)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(error)
  const known = fastifyProblems[code]
  if (known) return closing(...known, error)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return closing('malformed_request', 'The request could not be read.', error)
  const detail = 'Something went wrong on the server; its log tells more under this request_id.'
  return new Problem('internal_error', detail, { cause: error })
}

/** Logs why, without what database drivers add of the values they were given. */
function logFault({ log, id }: FastifyRequest, { code, cause }: Problem): void {
  const fault =
    cause instanceof Error ? { type: cause.name, message: cause.message, stack: cause.stack } : undefined
  log.error({ request_id: id, code, fault }, 'request failed')
}

export function bodyTooLarge(cause?: unknown): Problem {
  return closing('body_too_large', `The body may have at most ${maxBodyBytes} bytes.`, cause)
}
