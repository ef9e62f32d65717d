// Bytes and values that do not fit the schema, with the words clients of the public node know.

import { describe, expect, test } from 'vitest'
import {
  decodeAnswer,
  decodeRequest,
  encodeAnswer,
  encodeRequest,
  type Requests,
  TlError,
  type TlErrorCode,
} from '../../../server/tl/index.ts'

const hash = new Uint8Array(32).fill(7)
const id = { workchain: -1, shard: -(2n ** 63n), seqno: 3, root_hash: hash, file_hash: hash }
const hex = (text: string): Uint8Array => Buffer.from(text, 'hex')

describe('requests that cannot be read', () => {
  test.each<[string, TlErrorCode, Uint8Array, string]>([
    ['an unknown function', 'constructor', hex('deadbeef'), 'Unknown constructor found 0xefbeadde at 4'],
    ['an id that begins with zeros', 'constructor', hex('01000000'), 'Unknown constructor found 0x00000001 at 4'],
    ['nothing', 'underflow', hex(''), 'Not enough data to read at 0'],
    ['half an id', 'underflow', hex('345a'), 'Not enough data to read at 0'],
    [
      'a block that is cut',
      'underflow',
      encodeRequest('getBlock', { id }).subarray(0, 40),
      'Not enough data to read at 20',
    ],
    ['bytes behind it', 'trailing', hex('345aad1600000000'), 'Too much data to fetch at 4'],
    ['a long form of a length beyond the end', 'underflow', hex('82d40a69feffffff'), 'Not enough data to read at 8'],
    ['the longest form of a length', 'length', hex('82d40a69ff00000000000000'), "Can't fetch string, 255 found at 8"],
    ['a count that the bytes cannot hold', 'length', hex('62b622d1ffffffff00000000'), 'Wrong vector length at 8'],
  ])('error: %s', (_, code, bytes, text) => {
    expect(() => decodeRequest(bytes)).toThrow(new TlError(code, text))
  })

  test('error: a count no server ever needs, though the bytes are there', () => {
    const bytes = new Uint8Array(4 + 80 + 4 + 4 + 4 * 20_000)
    bytes.set(encodeRequest('getConfigParams', { mode: 0, id, param_list: [] }))
    new DataView(bytes.buffer).setUint32(88, 20_000, true)
    expect(() => decodeRequest(bytes)).toThrow('Wrong vector length at 92')
  })

  test('error: a Bool that is neither', () => {
    const bytes = encodeRequest('getShardInfo', { id, workchain: 0, shard: 1n, exact: true })
    bytes[bytes.length - 1] = 0
    expect(() => decodeRequest(bytes)).toThrow('Bool expected at 100')
  })

  test('error: another answer than the one of the function', () => {
    const time = encodeAnswer('getTime', { now: 1_700_000_000 })
    expect(() => decodeAnswer('getVersion', time)).toThrow('Unknown constructor found 0xe953000d at 4')
  })
})

describe('bits of the mode', () => {
  const list = { id, mode: 7, count: 5 }

  test('a field sets its bit', () => {
    const after = { account: hash, lt: 9n }
    const value = { ...list, after, want_proof: true } as const
    expect(decodeRequest(encodeRequest('listBlockTransactions', value))).toEqual({
      name: 'listBlockTransactions',
      value: { ...value, mode: 7 + 32 + 128 },
    })
  })

  test('a bit of a field without bytes sets the field', () => {
    const bytes = encodeRequest('listBlockTransactions', { ...list, mode: 7 + 64 })
    expect(decodeRequest(bytes).value).toEqual({ ...list, mode: 7 + 64, reverse_order: true })
  })

  test('error: a bit without its field', () => {
    expect(() => encodeRequest('listBlockTransactions', { ...list, mode: 128 })).toThrow('after is missing')
  })

  test('the highest bit', () => {
    const bytes = encodeRequest('getBlockHeader', { id, mode: 0xffffffff })
    expect(decodeRequest(bytes).value).toEqual({ id, mode: 0xffffffff })
  })
})

describe('values that do not fit', () => {
  test('numbers without a sign are taken for what they are in bits', () => {
    const unsigned = encodeRequest('getShardInfo', { id, workchain: 0xffffffff, shard: 2n ** 63n, exact: false })
    expect(decodeRequest(unsigned).value).toMatchObject({ workchain: -1, shard: -(2n ** 63n) })
  })

  test.each<[string, unknown]>([
    ['a number beyond 32 bits', { ...id, seqno: 2 ** 32 }],
    ['a number with a fraction', { ...id, seqno: 0.5 }],
    ['a bigint beyond 64 bits', { ...id, shard: 2n ** 64n }],
    ['a hash that is too short', { ...id, root_hash: new Uint8Array(31) }],
    ['a number where a bigint belongs', { ...id, shard: 5 }],
    ['a field that is missing', { workchain: -1 }],
    ['no object', null],
  ])('error: %s', (_, given) => {
    expect(() => encodeRequest('getBlock', { id: given } as Requests['getBlock'])).toThrow(TlError)
  })

  test('error: more bytes than a length can say', () => {
    const body = new Uint8Array(2 ** 24)
    expect(() => encodeRequest('sendMessage', { body })).toThrow('16777216 bytes where 16777215 fit')
    expect(decodeRequest(encodeRequest('sendMessage', { body: body.subarray(1) })).value).toHaveProperty(
      'body.length',
      2 ** 24 - 1,
    )
  })

  test('error: a link of no known kind', () => {
    const proof = { complete: true, from: id, to: id, steps: [{ '@type': 'liteServer.blockLink' }] }
    expect(() => encodeAnswer('getBlockProof', proof as never)).toThrow(
      '@type of liteServer.blockLinkBack or liteServer.blockLinkForward expected',
    )
  })
})

test('what is read does not keep what it was read from, but for its parts of type bytes', () => {
  const bytes = encodeAnswer('getBlock', { id, data: new Uint8Array(1000) })
  const { answer } = decodeAnswer('getBlock', bytes)
  expect(answer?.id.root_hash.buffer).not.toBe(bytes.buffer)
  expect(answer?.data.buffer).toBe(bytes.buffer)
})

test.each([-1, 2 ** 32, 1.5, Number.NaN])('error: a number without a sign of 32 bits that is %d', (mode) => {
  expect(() => encodeRequest('listBlockTransactions', { id, mode, count: 1 })).toThrow('is not of 32 bits')
})
