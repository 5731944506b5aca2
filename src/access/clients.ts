import { isIPv4, isIPv6 } from 'node:net'

/**
 * The client that an address stands for, with or without a port: an IPv4 address, or an IPv6 network of /64
 * (RFC 6177). What a proxy gives that is no address is one client, `unknown`.
 */
export function clientOf(address: string): string {
  return networkOf(address, 64)
}

/**
 * The site that an address stands for: an IPv4 address, or the IPv6 network of /56 that a household or a small
 * school is usually given (RFC 6177 §2). Else as `clientOf`.
 */
export function siteOf(address: string): string {
  return networkOf(address, 56)
}

function networkOf(address: string, prefixLength: 56 | 64): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address)
  const host = bare?.[1] ?? bare?.[2] ?? address
  if (isIPv4(host)) return host
  if (!isIPv6(host)) return 'unknown'
  const groups = groupsOf(host)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) return groups.slice(6).map(dotted).join('.')
  const [a, b, c, d] = groups as [number, number, number, number]
  const network = [a, b, c, prefixLength === 64 ? d : d & 0xff00].map((group) => group.toString(16))
  return `${network.join(':')}::/${prefixLength}`
}

/** The eight numbers of an IPv6 address (RFC 4291 §2.2), whose last two may be written as IPv4. */
function groupsOf(address: string): number[] {
  const [head = [], tail] = address.split('%')[0]!.split('::').map(parseGroups)
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array<number>(zeros).fill(0), ...(tail ?? [])]
}

function parseGroups(text: string): number[] {
  return text
    .split(':')
    .filter(Boolean)
    .flatMap((group) => {
      const [a, b, c, d] = group.split('.').map(Number)
      return d === undefined ? [Number.parseInt(group, 16)] : [a! * 256 + b!, c! * 256 + d]
    })
}

function dotted(group: number): string {
  return `${group >> 8}.${group & 255}`
}
