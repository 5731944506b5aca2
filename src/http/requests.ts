import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, FastifyServerOptions, HTTPMethods } from 'fastify'
import type { RequestRouteOptions } from 'fastify/types/request.js'
import { closing, type Problem, unavailable } from '../problems.ts'
import type { App } from './context.ts'
import { maxBodyBytes, routeNotFound } from './errors.ts'

/** How Fastify takes requests: their ids, their paths, no logger for each, and a query that `input.ts` reads. */
export const requestOptions = {
  genReqId: () => randomUUID(),
  childLoggerFactory: (log) => log,
  rewriteUrl: (request) => (asksForPage(request) ? '/' : originForm(request.url ?? '/')),
  bodyLimit: maxBodyBytes,
  routerOptions: {
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: 16_384,
    querystringParser: () => ({}),
  },
} satisfies FastifyServerOptions

/**
 * On every answer, also on those that Node itself would have given. No `Server`. In lower case, as Fastify keeps
 * headers: other names are converted for each answer.
 */
export const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** What a request's route declares, looked up once: each look at `routeOptions` makes an object anew. */
export function routeOf(request: FastifyRequest): Readonly<RequestRouteOptions> {
  request.route ??= request.routeOptions
  return request.route
}

/** How an app ends: first it drains, then it refuses what is new, then it is closed. */
export interface Shutdown {
  /** Health is 503 from now on, and each answer ends its connection; all else is served. */
  drain(): void
  /** A request that arrives from now on is 503. */
  refuse(): void
  hasBegun(): boolean
  /** Aborted where what is under way is not waited for: what may take long ends. */
  readonly ending: AbortSignal
}

/**
 * Lets a request in, before anything else is looked at: the common headers, then its frame, method and path, and
 * whether the server can serve. The health check is always answered.
 *
 * While the app drains, load balancers see it going and send no more. Closing the app waits, still listening, until
 * the open requests are answered: so long can the health check tell that it is going.
 */
export function admitRequests(app: App): Shutdown {
  const lag = watchLag(app)
  let draining = false
  let refusing = false
  let open = 0
  let onLastAnswer = () => {}
  const ending = new AbortController()

  // A response closes once, whether it was sent whole or its client has gone.
  const onClosed = () => {
    if (--open === 0) onLastAnswer()
  }
  app.decorateRequest('route', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders)
    reply.header('x-request-id', request.id)
    open++
    reply.raw.on('close', onClosed)
    const { config, url } = routeOf(request)
    checkFraming(request.raw, config.access?.isOpen === false)
    if (!knownMethods.includes(request.method as HTTPMethods)) throw methodNotImplemented()
    if (request.is404) throw routeNotFound()
    if (url !== '/api/health') {
      if (refusing) throw unavailable('shutting_down', 'The server is shutting down; try again shortly.')
      if (lag.ms > longestLagMs)
        throw unavailable('overloaded', 'The server is overloaded just now; try again shortly.')
    }
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) reply.header('Connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    ending.abort()
    if (refusing && open > 0) await new Promise<void>((resolve) => (onLastAnswer = resolve))
  })

  return {
    drain: () => {
      draining = true
    },
    refuse: () => {
      draining = true
      refusing = true
      ending.abort()
    },
    hasBegun: () => draining,
    ending: ending.signal,
  }
}

const sampleMs = 250
/** Requests are shed while the event loop lags by more, in milliseconds. */
const longestLagMs = 1_000

/** By how much the event loop lags. */
function watchLag(app: App): { readonly ms: number } {
  const lag = { ms: 0 }
  let timer: NodeJS.Timeout | undefined
  app.addHook('onReady', async () => {
    let due = performance.now() + sampleMs
    timer = setInterval(() => {
      const now = performance.now()
      lag.ms = now - due
      due = now + sampleMs
    }, sampleMs)
    timer.unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
  return lag
}

/** The methods that the router knows; any other is 501 (RFC 9110 §15.6.2). */
export const knownMethods: HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
]

export function methodNotImplemented(): Problem {
  return closing('method_not_implemented', `The methods are ${knownMethods.join(', ')}.`)
}

/** The longest URL, in bytes: well under the limit on all headers, so that it has its own answer. */
const maxUrlBytes = 8_192
const maxHeaders = 100

/** A host and perhaps a port (RFC 9110 §7.2, RFC 3986 §3.2.2); both may be empty. */
const hostAndPort = /^(?:\[[\w.:~!$&'()*+,;=-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/**
 * What RFC 9112 asks of a request's frame and Node lets pass: HTTP/1.0 or 1.1 (§2.3), one `Host` that is one (§3.2),
 * no transfer coding but chunked (§6.1), headers in bounds, and never two `Authorization`s to choose from on a route
 * that reads one.
 * @throws Problem malformed_request, uri_too_long, headers_too_large or transfer_coding_not_implemented
 */
function checkFraming(raw: IncomingMessage, readsAuthorization: boolean): void {
  const { rawHeaders, httpVersion } = raw
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw malformed('The request line must end in HTTP/1.1 or HTTP/1.0.')
  let hosts = 0
  let authorizations = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts++
      if (!hostAndPort.test(rawHeaders[i + 1]!)) throw malformed('The Host header names no host.')
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (rawHeaders[i + 1]!.toLowerCase() !== 'chunked')
        throw closing(
          'transfer_coding_not_implemented',
          'The only transfer coding that is understood is chunked.',
        )
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    throw malformed('The request needs exactly one Host header.')
  if (authorizations > 1 && readsAuthorization)
    throw malformed('The request has more than one Authorization header.')
  if (rawHeaders.length > 2 * maxHeaders)
    throw closing('headers_too_large', `A request may have at most ${maxHeaders} headers.`)
  if (raw.url!.length > maxUrlBytes) throw uriTooLong()
}

export function uriTooLong(): Problem {
  return closing('uri_too_long', `The URL may have at most ${maxUrlBytes} bytes.`)
}

function malformed(detail: string): Problem {
  return closing('malformed_request', detail)
}

/** RFC 9112 §3.2.2: a target in absolute form is served as its path; its authority changes nothing. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const absolute = /^https?:\/\/[^/?#]*/i.exec(target)
  if (absolute === null) return target
  const path = target.slice(absolute[0].length)
  return path.startsWith('/') ? path : `/${path}`
}

/** Whether a browser asks, and is to show what it gets. */
export function acceptsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true
}

/** Whether what is asked for is a page outside of the API: there is one, at `/`, whatever the path. */
function asksForPage(request: IncomingMessage): boolean {
  const { method, url = '/' } = request
  const first = acceptsPage(request) ? /^\/+([^/?#]*)/.exec(url)?.[1] : undefined
  if (first === undefined || url.length > maxUrlBytes || (method !== 'GET' && method !== 'HEAD')) return false
  try {
    return decodeURIComponent(first) !== 'api'
  } catch {
    return false
  }
}
