import type { IncomingMessage } from 'node:http'
import { Problem } from '../problems.ts'

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
export function checkFraming(raw: IncomingMessage, readsAuthorization: boolean): void {
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
      if (rawHeaders[i + 1]!.toLowerCase() !== 'chunked') throw codingNotImplemented()
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    throw malformed('The request needs exactly one Host header.')
  if (authorizations > 1 && readsAuthorization)
    throw malformed('The request has more than one Authorization header.')
  if (rawHeaders.length > 2 * maxHeaders) {
    throw new Problem('headers_too_large', `A request may have at most ${maxHeaders} headers.`, {
      closeConnection: true,
    })
  }
  if (raw.url!.length > maxUrlBytes) {
    throw uriTooLong()
  }
}

export function uriTooLong(): Problem {
  return new Problem('uri_too_long', `The URL may have at most ${maxUrlBytes} bytes.`, {
    closeConnection: true,
  })
}

function codingNotImplemented(): Problem {
  return new Problem(
    'transfer_coding_not_implemented',
    'The only transfer coding that is understood is chunked.',
    { closeConnection: true },
  )
}

function malformed(detail: string): Problem {
  return new Problem('malformed_request', detail, { closeConnection: true })
}

/** RFC 9112 §3.2.2: a target in absolute form is served as its path; its authority changes nothing. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const absolute = /^https?:\/\/[^/?#]*/i.exec(target)
  if (absolute === null) return target
  const path = target.slice(absolute[0].length)
  return path.startsWith('/') ? path : `/${path}`
}
