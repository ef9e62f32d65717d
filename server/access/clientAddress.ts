// Whose address a request comes from. What a proxy says is believed only as far as every hop that says it is trusted,
// read from our own socket outwards; the rest of the header is whatever the caller chose to write.

import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Further hops are ignored; the nearest ones, on the right, count. */
const MAX_HOPS = 32
const MAX_HEADER = 2048
/** A caller whose address is not known: a closed socket, or one that is no network socket. All of them are one. */
const UNKNOWN = 'unknown'

/** Proxies whose X-Forwarded-For is believed, or others that are trusted by their address. */
export interface AddressRanges {
  readonly size: number
  has(address: string): boolean
}

/** Reads a list of addresses and CIDR ranges. Throws RangeError naming the entry that is neither. */
export function createAddressRanges(entries: readonly string[]): AddressRanges {
  const list = new BlockList()
  for (const entry of entries) addEntry(list, entry.trim())
  return {
    size: entries.length,
    has: (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6'),
  }
}

/**
 * The address to hold a request against: the socket's, or while that is a trusted proxy the one it names. A hop that is
 * no address ends the walk, and the proxy that reported it answers for it. `unknown` when there is no address at all.
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | undefined,
  trusted: AddressRanges | null,
): string {
  let address = plainAddress(remote ?? '') ?? UNKNOWN
  // A declared proxy on this machine speaks for others, also when it does not name them.
  if (!forwardedFor)
    return trusted !== null && trusted.size > 0 && trusted.has(address) && isLoopback(address) ? UNKNOWN : address
  if (address === UNKNOWN) return address
  // An undeclared proxy on this machine: its callers are not this machine.
  if (!trusted?.has(address)) return isLoopback(address) ? UNKNOWN : address
  const nearest = forwardedFor.length > MAX_HEADER ? forwardedFor.slice(-MAX_HEADER) : forwardedFor
  const hops = nearest.split(',')
  // An entry that was cut is not what its author wrote.
  const first = Math.max(nearest === forwardedFor ? 0 : 1, hops.length - MAX_HOPS)
  for (let i = hops.length - 1; i >= first && trusted.has(address); i--) {
    const hop = plainAddress(withoutPort((hops[i] ?? '').trim()))
    if (hop === null) break
    address = hop
  }
  return trusted.has(address) && isLoopback(address) ? UNKNOWN : address
}

/** What a budget is kept by: IPv4 whole, IPv6 by its /64, because one customer line has all of a /64 to call from. */
export function subjectOf(address: string): string {
  if (isIPv4(address)) return address
  const groups = ipv6Groups(address)
  if (groups === null) return UNKNOWN
  const [a = 0, b = 0, c = 0, d = 0] = groups
  return mappedIPv4(groups) ?? `${toHexGroup(a)}:${toHexGroup(b)}:${toHexGroup(c)}:${toHexGroup(d)}::/64`
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address)
  if (plain === null) return false
  if (isIPv4(plain)) return plain.startsWith('127.')
  return ipv6Groups(plain)?.every((group, i) => group === (i === 7 ? 1 : 0)) ?? false
}

function addEntry(list: BlockList, entry: string): void {
  const slash = entry.indexOf('/')
  const written = slash < 0 ? entry : entry.slice(0, slash)
  const address = plainAddress(written)
  const family = address !== null && isIPv4(address) ? 'ipv4' : 'ipv6'
  const bits = family === 'ipv4' ? 32 : 128
  const prefix = slash < 0 ? String(isIPv6(written) ? 128 : 32) : entry.slice(slash + 1)
  // ::ffff:10.0.0.0/104 is how IPv6 writes 10.0.0.0/8.
  const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) - (isIPv6(written) ? 128 - bits : 0) : -1
  if (address === null || length < 0 || length > bits)
    throw new RangeError(`Not an address or a range like 10.0.0.0/8: ${JSON.stringify(entry.slice(0, 80))}`)
  list.addSubnet(address, length, family)
}

/** IPv4 out of its IPv6 wrapping, IPv6 without a zone; null when it is neither. */
function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text
  const groups = ipv6Groups(text)
  if (groups === null) return null
  return mappedIPv4(groups) ?? withoutZone(text)
}

const withoutZone = (address: string): string => {
  const zone = address.indexOf('%')
  return zone < 0 ? address : address.slice(0, zone)
}

/** Some proxies write 192.0.2.1:4711 and [2001:db8::1]:4711. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? /^([^:]*):\d{1,5}$/.exec(hop)?.[1] ?? hop

const COLON = 0x3a

/** The eight 16-bit groups of an IPv6 address, null for anything else. Read sign by sign: it runs for every caller. */
export function ipv6Groups(address: string): readonly number[] | null {
  if (!isIPv6(address)) return null
  const text = withHexTail(withoutZone(address))
  const groups = [0, 0, 0, 0, 0, 0, 0, 0]
  let filled = 0
  let gap = -1
  let start = 0
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && text.charCodeAt(i) !== COLON) continue
    if (i > start) groups[filled++] = Number.parseInt(text.slice(start, i), 16)
    else if (gap < 0) gap = filled
    start = i + 1
  }
  if (gap < 0) return groups
  const tail = 8 - (filled - gap)
  return groups.copyWithin(tail, gap, filled).fill(0, gap, tail)
}

/** ::ffff:192.0.2.1 as ::ffff:c000:201. */
function withHexTail(address: string): string {
  if (!address.includes('.')) return address
  const colon = address.lastIndexOf(':')
  const [a = 0, b = 0, c = 0, d = 0] = address
    .slice(colon + 1)
    .split('.')
    .map(Number)
  return `${address.slice(0, colon + 1)}${toHexGroup(a * 256 + b)}:${toHexGroup(c * 256 + d)}`
}

function mappedIPv4(groups: readonly number[]): string | null {
  const [a, b, c, d, e, f, high = 0, low = 0] = groups
  if (a !== 0 || b !== 0 || c !== 0 || d !== 0 || e !== 0 || f !== 0xffff) return null
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

const toHexGroup = (group: number): string => group.toString(16)
