/** Loopback as a `Host` or an origin's host names it. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
}

/** Loopback as a socket names its peer: 127/8, ::1, ::ffff:127/104. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && (address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address))
}

/** Whether an origin (RFC 6454) is of this machine. */
export function isLoopbackOrigin(origin: string): boolean {
  return /^https?:\/\/[^/]+$/.test(origin) && isLoopbackHost(origin.slice(origin.indexOf('//') + 2))
}
