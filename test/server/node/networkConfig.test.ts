// Configurations as networks publish them, as other clients write them, and invalid ones.

import { describe, expect, test } from 'vitest'
import { isCompact, MASTERCHAIN, NetworkConfigError, parseNetworkConfig } from '../../../server/node/index.ts'

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64')
const block = (seqno: number) => ({
  workchain: -1,
  seqno,
  root_hash: key(seqno % 251),
  file_hash: key((seqno + 1) % 251),
})
const id = (fill: number) => ({ '@type': 'pub.ed25519', key: key(fill) })

const config = {
  '@type': 'config.global',
  dht: { '@type': 'dht.config.global', k: 6, static_nodes: { nodes: [] } },
  liteservers: [
    { ip: 2130706433, port: 19949, id: id(1), provided: 'Someone' },
    { ip: -1062731776, port: 1, id: id(2) },
    { hostname: 'lite.example', port: 7, ip: 5, id: id(3) },
    { hostname: 'lite.example:9', port: 0, id: id(4) },
    { hostname: '[2001:db8::5]', port: 10, id: id(5) },
    { hostname: '[2001:db8::6]:11', port: 0, id: id(6) },
    { hostname: '2001:db8::7', port: 12, id: id(7) },
  ],
  validator: {
    '@type': 'validator.config.global',
    zero_state: { ...block(0), shard: -9223372036854775808n },
    init_block: { ...block(700), shard: -9223372036854775808n },
    hardforks: [{ ...block(500), shard: -9223372036854775808n }],
  },
}

/** As published: numbers of 64 bits bare. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `#${one}#` : one)).replace(/"#(-?\d+)#"/g, '$1')

const parse = (value: unknown) => parseNetworkConfig(jsonOf(value), 'net.json')

describe('servers', () => {
  test('behavior: addresses in every form', () => {
    expect(parse(config).servers.map(({ name }) => name)).toEqual([
      '127.0.0.1:19949',
      '192.168.0.0:1',
      'lite.example:7',
      'lite.example:9',
      '[2001:db8::5]:10',
      '[2001:db8::6]:11',
      '[2001:db8::7]:12',
    ])
    expect(parse(config).servers[5]?.host).toBe('2001:db8::6')
    expect(parse(config).servers.map((server) => server.key[0])).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(parse(config).skipped).toEqual([])
  })

  test('behavior: what is null counts as left out, as programs write empty lists', () => {
    const { liteservers, validator } = config
    const { servers, facts } = parse({
      liteservers,
      liteservers_v2: null,
      validator: { ...validator, hardforks: null },
    })
    expect(servers).toHaveLength(7)
    expect(facts?.hardForks).toEqual([])
  })

  test('behavior: an entry that cannot be used is named, the others stay', () => {
    const { servers, skipped } = parse({
      ...config,
      liteservers: [
        { port: 5, id: id(1) },
        { ip: 1, port: 0, id: id(1) },
        { ip: 1, port: 5, id: { key: 'AAAA' } },
        { ip: 1, port: 5, id: { '@type': 'pub.aes', key: key(1) } },
        'text',
        { hostname: 'a\u001b[2Jb', port: 5, id: id(9) },
        { hostname: 'http://lite.example', port: 5, id: id(9) },
        { ip: 1, port: 5, id: id(9) },
      ],
    })
    expect(servers.map(({ name }) => name)).toEqual(['0.0.0.1:5'])
    expect(skipped.length).toBe(7)
    expect(skipped[5]).toBe('liteservers[5]: hostname: not the name of a host')
    expect(skipped[2]).toBe('liteservers[2]: id.key: not 32 bytes in base64')
  })

  test('behavior: one listed twice is one, and two keys at one address are two', () => {
    const at = (fill: number, ip: number) => ({ ip, port: 4443, id: id(fill) })
    const liteservers = [at(0xfe, 2130706433), at(0xfe, 2130706433), at(0xff, 2130706433), at(0xfe, -1062731775)]
    const { servers, skipped } = parse({ ...config, liteservers, liteservers_v2: [] })
    expect(servers.map(({ name, key: [first] }) => [name, first])).toEqual([
      ['127.0.0.1:4443', 0xfe],
      ['127.0.0.1:4443', 0xff],
      ['192.168.0.1:4443', 0xfe],
    ])
    expect(skipped).toEqual([])
  })

  test('behavior: slices, with shards of 64 bits to the last digit', () => {
    const shard = -6917529027641081857n
    const from = { shard_id: { workchain: 0, shard }, seqno: 10, utime: 1, lt: 1 }
    const to = { shard_id: { workchain: 0, shard }, seqno: 20, utime: 2, lt: 2 }
    const { servers } = parse({
      ...config,
      liteservers: [{ ip: 7, port: 7, id: id(1) }],
      liteservers_v2: [
        {
          ip: 7,
          port: 7,
          id: id(1),
          slices: [
            { '@type': 'liteserver.descV2.sliceSimple', shards: [{ workchain: -1, shard: -9223372036854775808n }] },
            { '@type': 'liteserver.descV2.sliceTimed', shards_from: [from], shards_to: [to] },
          ],
        },
      ],
    })
    expect(servers.length).toBe(1)
    expect(servers[0]?.slices).toEqual([
      { workchain: -1, shard: -9223372036854775808n },
      { workchain: 0, shard, fromSeqno: 10, toSeqno: 20 },
    ])
  })

  test('behavior: the short form', () => {
    const { servers, facts } = parseNetworkConfig(`127.0.0.1:5:${key(1)}, [::1]:6:${key(2)}`, 'x')
    expect(servers.map(({ name, host, port }) => [name, host, port])).toEqual([
      ['127.0.0.1:5', '127.0.0.1', 5],
      ['[::1]:6', '::1', 6],
    ])
    expect(facts).toBeNull()
  })

  test.each(['127.0.0.1:5:abc', '127.0.0.1:5:', `127.0.0.1:70000:${key(1)}`, `127.0.0.1:5:${key(1)},[::1]`])(
    'error: the short form %s',
    (text) => {
      expect(isCompact(text)).toBe(true)
      expect(() => parseNetworkConfig(text, 'x')).toThrow(/is no lite server: write host:port:key, with its public key/)
    },
  )

  test.each(['net.json', './net:1.json', 'https://h:80/a:1:b', 'C:\\net.json'])(
    'behavior: %s is no short form',
    (text) => {
      expect(isCompact(text)).toBe(false)
    },
  )
})

describe('facts', () => {
  test('behavior: the blocks a chain is known by', () => {
    const { facts } = parse(config)
    expect(facts?.zerostate.seqno).toBe(0)
    expect(facts?.zerostate.workchain).toBe(MASTERCHAIN)
    expect(facts?.init?.seqno).toBe(700)
    expect(Buffer.from(facts?.init?.rootHash ?? []).toString('base64')).toBe(block(700).root_hash)
    expect(facts?.hardForks.map(({ seqno }) => seqno)).toEqual([500])
  })

  test('behavior: without an init block, and without any', () => {
    const { init_block: _, ...validator } = config.validator
    expect(parse({ ...config, validator }).facts?.init).toBeNull()
    expect(parse({ liteservers: config.liteservers }).facts).toBeNull()
  })
})

const manyShards = {
  '@type': 'liteserver.descV2.sliceSimple',
  shards: Array.from({ length: 300 }, (_, shard) => ({ workchain: 0, shard })),
}

describe('refusals', () => {
  test.each([
    ['', 'net.json is not JSON: it has to be a global.config.json'],
    ['<html>', 'net.json is not JSON: it has to be a global.config.json'],
    ['[]', 'net.json is no global.config.json'],
    ['{}', 'net.json names no lite server'],
    ['{"liteservers":[{"ip":1}]}', 'net.json names no lite server; liteservers[0]: id'],
    ['{"liteservers":{}}', 'net.json is no global.config.json: liteservers'],
    [jsonOf({ ...config, validator: { zero_state: { seqno: 0 } } }), 'validator.zero_state.root_hash'],
    [jsonOf({ ...config, validator: { zero_state: block(5) } }), 'its zero_state has a seqno'],
    [`127.0.0.1:5:${key(1)},nonsense`, '"nonsense" is no lite server'],
    [`127.0.0.1:0:${key(1)}`, 'is no lite server'],
    [jsonOf({ liteservers: Array.from({ length: 300 }, () => config.liteservers[0]) }), 'liteservers'],
  ])('error: %s', (text, words) => {
    const read = () => parseNetworkConfig(text, 'net.json')
    expect(read).toThrow(NetworkConfigError)
    expect(read).toThrow(words)
  })

  test('error: more than can be used', () => {
    const compact = Array.from({ length: 300 }, (_, port) => `h:${port + 1}:${key(1)}`).join(',')
    expect(() => parseNetworkConfig(compact, 'x')).toThrow('the list names 300 lite servers: at most 256 can be used')
    const many = Array.from({ length: 300 }, () => config.liteservers[0])
    expect(() => parse({ ...config, liteservers_v2: many })).toThrow(
      'net.json names 300 lite servers in liteservers_v2: at most 256 can be used; name a copy of it with fewer',
    )
    const sliced = { ...config.liteservers[0], slices: [manyShards] }
    expect(() => parse({ liteservers_v2: [sliced] })).toThrow('liteservers_v2[0]: slices.0')
  })

  test.each([
    ['a string without an end', `{"a":"${'\\"'.repeat(500_000)}`, 'net.json is not JSON'],
    ['a long number with an exponent', `{"a":${'1'.repeat(500_000)}e1}`, 'net.json names no lite server'],
    ['a long number with a fraction', `{"a":${'1'.repeat(500_000)}.5}`, 'net.json names no lite server'],
    ['a million lists in each other', '['.repeat(1_000_000), 'net.json is not JSON'],
  ])('error: %s, in time that grows with the length and not with its square', (_, text, words) => {
    expect(() => parseNetworkConfig(text, 'net.json')).toThrow(words)
  })
})
