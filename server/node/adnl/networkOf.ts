import { isIPv6 } from 'node:net'

/** The part of an address whose connections are counted together. */
export function networkOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  if (!isIPv6(plain)) return plain
  const [left = '', right = ''] = plain.split('::')
  const groups = left === '' ? [] : left.split(':')
  const rest = right === '' ? [] : right.split(':')
  while (groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest].slice(0, 4).join(':')
}
