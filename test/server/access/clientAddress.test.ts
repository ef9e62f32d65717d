import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientAddress, createAddressRanges, isLoopback, subjectOf } from '../../../server/access/clientAddress.ts'

const proxies = createAddressRanges(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])

describe('clientAddress', () => {
  test('default: the address of the socket', () => {
    expect(clientAddress('203.0.113.7', undefined, proxies)).toBe('203.0.113.7')
    expect(clientAddress('::ffff:203.0.113.7', undefined, null)).toBe('203.0.113.7')
    expect(clientAddress('fe80::1%eth0', undefined, null)).toBe('fe80::1')
  })

  test('behavior: a header from a stranger is not believed', () => {
    expect(clientAddress('203.0.113.7', '127.0.0.1', proxies)).toBe('203.0.113.7')
    expect(clientAddress('203.0.113.7', '127.0.0.1', null)).toBe('203.0.113.7')
  })

  test('behavior: behind an undeclared proxy on this machine, no address is this machine', () => {
    expect(clientAddress('127.0.0.1', '198.51.100.1', null)).toBe('unknown')
    expect(clientAddress('::1', '127.0.0.1', createAddressRanges([]))).toBe('unknown')
    expect(clientAddress('127.0.0.1', undefined, null)).toBe('127.0.0.1')
  })

  test('behavior: a declared proxy on this machine is never this machine', () => {
    expect(clientAddress('127.0.0.1', undefined, proxies)).toBe('unknown')
    expect(clientAddress('127.0.0.1', '127.0.0.1', proxies)).toBe('unknown')
    expect(clientAddress('::ffff:127.0.0.1', '-', proxies)).toBe('unknown')
    expect(clientAddress('10.0.0.1', undefined, proxies)).toBe('10.0.0.1')
  })

  test('behavior: through trusted hops, read from the right, to the first that is not', () => {
    expect(clientAddress('127.0.0.1', '198.51.100.1', proxies)).toBe('198.51.100.1')
    expect(clientAddress('::ffff:127.0.0.1', '198.51.100.1, 10.1.2.3', proxies)).toBe('198.51.100.1')
    expect(clientAddress('10.0.0.1', '6.6.6.6, 198.51.100.1 ,10.1.2.3', proxies)).toBe('198.51.100.1')
    expect(clientAddress('fd12::1', '2001:db8::5, ::ffff:10.9.9.9', proxies)).toBe('2001:db8::5')
    expect(clientAddress('10.0.0.1', '10.0.0.3, 10.0.0.2', proxies)).toBe('10.0.0.3')
  })

  test('behavior: hops with ports and brackets', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.1:4711', proxies)).toBe('198.51.100.1')
    expect(clientAddress('10.0.0.1', '[2001:db8::5]:4711', proxies)).toBe('2001:db8::5')
    expect(clientAddress('10.0.0.1', '[2001:db8::5]', proxies)).toBe('2001:db8::5')
  })

  test.each(['unknown', '', ' , ', '999.1.1.1', '1.2.3', '0x7f.1', '[::1', 'localhost', '127.0.0.1\0', '1.2.3.4, -'])(
    'error: the hop %j ends the walk at the proxy that wrote it',
    (header) => {
      expect(clientAddress('10.0.0.1', header, proxies)).toBe('10.0.0.1')
    },
  )

  test('behavior: of an absurd header only the end counts, where our own proxies write', () => {
    const absurd = '127.0.0.1, '.repeat(100_000)
    expect(clientAddress('10.0.0.1', `${absurd}198.51.100.1, 10.0.0.2`, proxies)).toBe('198.51.100.1')
    expect(clientAddress('10.0.0.1', `${'x'.repeat(100_000)}, 198.51.100.1`, proxies)).toBe('198.51.100.1')
    expect(clientAddress('10.0.0.1', '9'.repeat(100_000), proxies)).toBe('10.0.0.1')
    // Of 2,048 characters: what is left of an address that is cut off is another one.
    expect(clientAddress('10.0.0.1', `198.51.100.1,${' '.repeat(2_028)}10.0.0.2`, proxies)).toBe('10.0.0.2')
    expect(clientAddress('10.0.0.1', `198.51.100.1${', 10.0.0.2'.repeat(31)}`, proxies)).toBe('198.51.100.1')
    expect(clientAddress('10.0.0.1', `198.51.100.1${', 10.0.0.2'.repeat(32)}`, proxies)).toBe('10.0.0.2')
  })

  test.each([undefined, '', 'not an address', '/run/tonrpc.sock'])('error: a socket of %j is unknown', (remote) => {
    expect(clientAddress(remote, '198.51.100.1', proxies)).toBe('unknown')
  })

  test('whatever strangers write to the left, the answer is what the proxy saw', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6())), fc.ipV4(), (forged, seen) => {
        fc.pre(!proxies.has(seen))
        expect(clientAddress('10.0.0.1', [...forged, seen].join(', '), proxies)).toBe(seen)
      }),
    )
  })
})

describe('createAddressRanges', () => {
  test('args: addresses and ranges of both families, wrapped ones too', () => {
    const list = createAddressRanges([
      ' 192.0.2.0/24 ',
      '::ffff:198.51.100.0/120',
      '2001:db8::/32',
      '::1',
      '::ffff:203.0.113.9',
    ])
    expect(['192.0.2.255', '198.51.100.77', '2001:db8:ffff::1', '::1', '203.0.113.9'].map(list.has)).not.toContain(
      false,
    )
    expect(['192.0.3.0', '198.51.101.0', '2001:db9::', '::2', '203.0.113.8'].map(list.has)).not.toContain(true)
    expect(createAddressRanges(['0.0.0.0/0']).has('8.8.8.8')).toBe(true)
  })

  test.each([
    '',
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    '::ffff:10.0.0.0/90',
    '1.2.3',
  ])('error: %j', (entry) => {
    expect(() => createAddressRanges(['10.0.0.1', entry])).toThrow(RangeError)
    expect(() => createAddressRanges([entry])).toThrow(JSON.stringify(entry))
  })
})

describe('subjectOf', () => {
  test('default: IPv4 whole, also in its IPv6 forms', () => {
    expect(subjectOf('203.0.113.7')).toBe('203.0.113.7')
    expect(subjectOf('::ffff:203.0.113.7')).toBe('203.0.113.7')
    expect(subjectOf('::FFFF:cb00:7107')).toBe('203.0.113.7')
    expect(subjectOf('::fffe:203.0.113.7')).toBe('0:0:0:0::/64')
  })

  test('behavior: all of a /64 is one caller, the next /64 another', () => {
    const one = [
      '2001:db8:1:2::1',
      '2001:DB8:1:2:ffff:ffff:ffff:ffff',
      '2001:0db8:0001:0002::',
      '2001:db8:1:2:0:0:192.0.2.1',
    ]
    expect(new Set(one.map(subjectOf))).toEqual(new Set(['2001:db8:1:2::/64']))
    expect(subjectOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
    expect(subjectOf('::1')).toBe('0:0:0:0::/64')
    expect(subjectOf('1:2:3:4:5:6:7::')).toBe('1:2:3:4::/64')
    expect(subjectOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  })

  test('error: everything that is no address is one subject', () => {
    expect(new Set(['', 'unknown', '__proto__', '1.2.3', ':::'].map(subjectOf))).toEqual(new Set(['unknown']))
  })

  test('any spelling of an IPv6 address gives the same subject', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const full = groups.map((value) => value.toString(16).padStart(4, '0')).join(':')
        const short = new URL(`http://[${full}]`).hostname.slice(1, -1)
        expect(subjectOf(short)).toBe(subjectOf(full))
        expect(subjectOf(full.toUpperCase())).toBe(subjectOf(full))
      }),
    )
  })
})

test.each([0, 1, 2, 3, 4])('an address that only ends like a wrapped 127.0.0.1 is not this machine: group %i', (at) => {
  const address = [0, 0, 0, 0, 0]
    .map((_, i) => (i === at ? '2001' : '0'))
    .join(':')
    .concat(':ffff:7f00:1')
  expect(isLoopback(address)).toBe(false)
  expect(subjectOf(address)).toMatch(/\/64$/)
  expect(clientAddress(address, undefined, null)).toBe(address)
  expect(clientAddress('10.0.0.1', address, proxies)).toBe(address)
})

test('isLoopback: this machine and no other', () => {
  expect(
    ['127.0.0.1', '127.255.0.3', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'].map(isLoopback),
  ).not.toContain(false)
  expect(
    ['128.0.0.1', '10.0.0.1', '::', '::2', '1::1', '::127.0.0.1', '', 'localhost', 'unknown', '127.1'].map(isLoopback),
  ).not.toContain(true)
})
