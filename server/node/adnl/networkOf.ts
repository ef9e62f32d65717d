import { isIPv6 } from 'node:net'

const plainOf = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)

/** The first groups of an IPv6 address. */
function groupsOf(address: string, count: number): string {
  const [left = '', right = ''] = address.split('::')
  const groups = left === '' ? [] : left.split(':')
  const rest = right === '' ? [] : right.split(':')
  while (groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest].slice(0, count).join(':')
}

/** The part of an address whose connections are counted together: of IPv6, what one line has to connect from. */
export function networkOf(address: string): string {
  const plain = plainOf(address)
  return isIPv6(plain) ? groupsOf(plain, 4) : plain
}

/** What one owner may have of addresses, at little cost: 24 bits of IPv4, 48 of IPv6. */
export function wideNetworkOf(address: string): string {
  const plain = plainOf(address)
  return isIPv6(plain) ? groupsOf(plain, 3) : plain.slice(0, plain.lastIndexOf('.'))
}
