// Which IP addresses are public, and which belong to machines nearby.

import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Private, loopback, link-local (which includes the metadata addresses of clouds), shared, reserved, many at once. */
const NOT_PUBLIC_V4: readonly (readonly [net: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // At this one Azure answers machines about themselves.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Of the one range that is public, the parts that are not: tunnels to addresses of version 4 among them. */
const NOT_PUBLIC_V6: readonly (readonly [net: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const refused = new BlockList()
for (const [net, bits] of NOT_PUBLIC_V4) refused.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of NOT_PUBLIC_V6) refused.addSubnet(net, bits, 'ipv6')

const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

/** Addresses an operator gives out himself: this machine, private networks, the shared range of overlays. */
const own = new BlockList()
own.addSubnet('10.0.0.0', 8, 'ipv4')
own.addSubnet('100.64.0.0', 10, 'ipv4')
own.addSubnet('127.0.0.0', 8, 'ipv4')
own.addSubnet('172.16.0.0', 12, 'ipv4')
own.addSubnet('192.168.0.0', 16, 'ipv4')
own.addAddress('::1', 'ipv6')
own.addSubnet('fc00::', 7, 'ipv6')

/** Link-local addresses, at which most clouds have their metadata, are none. False also for text that is not an address. */
export function isOwnNetwork(address: string): boolean {
  if (isIPv4(address)) return own.check(address, 'ipv4')
  return isIPv6(address) && own.check(address, 'ipv6')
}

/** False also for text that is not an address. An IPv4 address written as IPv6 is not in the public range. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return global.check(address, 'ipv6') && !refused.check(address, 'ipv6')
}
