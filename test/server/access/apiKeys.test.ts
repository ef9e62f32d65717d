import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashKey, hintOf, makeKey, networkOfKey, sameHash, withoutKeys } from '../../../server/access/apiKeys.ts'
import { NETWORKS } from '../../../shared/network.ts'

describe('makeKey', () => {
  test.each(NETWORKS)('default: a key of %s names its network', (network) => {
    const key = makeKey(network)
    expect(key).toMatch(new RegExp(`^tonrpc_${network}_[A-Za-z0-9_-]{43}$`))
    expect(networkOfKey(key)).toBe(network)
  })

  test('behavior: 256 bits that do not come twice', () => {
    const keys = Array.from({ length: 1000 }, () => makeKey('devnet'))
    expect(new Set(keys).size).toBe(1000)
    expect(Buffer.from(keys[0]?.slice(-43) ?? '', 'base64url')).toHaveLength(32)
  })
})

describe('networkOfKey', () => {
  const secret = 'A'.repeat(43)

  test.each([
    ['nothing', ''],
    ['another product', `sk_devnet_${secret}`],
    ['an unknown network', `tonrpc_moonnet_${secret}`],
    ['a property of every object', `tonrpc___proto___${secret}`],
    ['a bare property of every object', '__proto__'],
    ['a character short', `tonrpc_devnet_${secret.slice(1)}`],
    ['a character long', `tonrpc_devnet_${secret}A`],
    ['the other base64 alphabet', `tonrpc_devnet_${'+'.repeat(43)}`],
    ['padding', `tonrpc_devnet_${secret.slice(1)}=`],
    ['another case', `TONRPC_devnet_${secret}`],
    ['a line break at the end', `tonrpc_devnet_${secret}\n`],
    ['a null byte', `tonrpc_devnet_${'A'.repeat(42)}\0`],
    ['space around', ` tonrpc_devnet_${secret} `],
    ['letters beyond ASCII', `tonrpc_devnet_${'é'.repeat(43)}`],
    ['ten thousand characters', `tonrpc_devnet_${'A'.repeat(10_000)}`],
  ])('error: %s is not a key', (_, text) => {
    expect(networkOfKey(text)).toBeNull()
  })
})

test('hashKey: SHA-256 in hex', () => {
  const key = makeKey('testnet')
  expect(hashKey(key)).toBe(createHash('sha256').update(key).digest('hex'))
})

test('sameHash: equal, different, of different length, not hex', () => {
  const hash = hashKey('a')
  expect(sameHash(hash, hash)).toBe(true)
  expect(sameHash(hash, hashKey('b'))).toBe(false)
  expect(sameHash(hash, hash.slice(1))).toBe(false)
  expect(sameHash('', '')).toBe(true)
  expect(sameHash('é', 'e')).toBe(false)
})

test('hintOf: recognisable, and no secret', () => {
  const key = makeKey('mainnet')
  expect(hintOf(key)).toBe(`tonrpc_mainnet_...${key.slice(-4)}`)
})

test('withoutKeys: a text for a log has a hint in the place of each key, and is left as it is otherwise', () => {
  const one = makeKey('devnet')
  const two = makeKey('mainnet')
  const hint = (key: string) => `${key.slice(0, -43)}...${key.slice(-4)}`
  expect(withoutKeys(`/a/${one}/${two}?b`)).toBe(`/a/${hint(one)}/${hint(two)}?b`)
  for (const text of ['', '/api/v2/x', 'tonrpc_devnet_short', `tonrpc_other_${'a'.repeat(43)}`])
    expect(withoutKeys(text)).toBe(text)
})

test('withoutKeys: a key is found however its characters are escaped', () => {
  const key = makeKey('testnet')
  const hint = hintOf(key)
  const escaped = (char: string) => `%${char.charCodeAt(0).toString(16)}`
  const all = Array.from(key, escaped).join('')
  const lines = key.replaceAll('_', '%5F').replaceAll('-', '%2d')
  for (const text of [lines, lines.replaceAll('%', '%2525'), all, all.toUpperCase(), all.replaceAll('%', '%25')])
    expect(withoutKeys(`/a/${text}/b%20c`)).toBe(`/a/${hint}/b%20c`)
  expect(withoutKeys('/a%20b/%74onrpc%5Fdevnet%5Fshort')).toBe('/a%20b/%74onrpc%5Fdevnet%5Fshort')
  const long = '%25'.repeat(3000)
  expect(withoutKeys(long)).toBe(long)
})
