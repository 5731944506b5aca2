import type { IncomingHttpHeaders } from 'node:http'

/*
 * The cookie by which pages of this server stay logged in. It holds a token that is good in no `Authorization`, as a
 * token for that is good in no cookie: browsers send a cookie to every server of the machine, whatever its port.
 */

/**
 * What the cookie is called. With this prefix browsers take it from this host alone, and over HTTPS or from loopback
 * (RFC 6265bis §4.1.3.2). Where the host is named with a port, so is the cookie: two servers on a machine have one each.
 */
function nameOf(host: string): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1]
  return port === undefined ? '__Host-registrar' : `__Host-registrar-${port}`
}

const attributes = 'HttpOnly; Secure; SameSite=Strict; Path=/'

/** The value of `Set-Cookie` that gives a browser its token, until it is closed. */
export function cookieWith(token: string, { host = '' }: IncomingHttpHeaders): string {
  return `${nameOf(host)}=${token}; ${attributes}`
}

/** The one that takes it away. */
export function endedCookie({ host = '' }: IncomingHttpHeaders): string {
  return `${nameOf(host)}=; ${attributes}; Max-Age=0`
}

/**
 * Whether a page of this server asks: by what browsers say of that (Fetch Metadata), or, where they say nothing, by an
 * origin whose host is the one that is asked.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  const isOwn = origin !== undefined && host !== undefined && hostOf(origin) === host.toLowerCase()
  return site === undefined ? isOwn : site === 'same-origin' && (origin === undefined || isOwn)
}

/** The host and port of an origin (RFC 6454); undefined where it has none, as `null`. */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1]
}

/** The token of the cookie, where it counts: a page of this server asks, and sends it once. */
export function cookieToken(headers: IncomingHttpHeaders): string | undefined {
  const { cookie, host = '' } = headers
  if (cookie === undefined || !isFromOwnPage(headers)) return undefined
  const start = `${nameOf(host)}=`
  const [first, ...others] = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  return others.length === 0 ? first?.slice(start.length) : undefined
}
