// One conversation in numbers, made with an independent implementation.

import { describe, expect, test } from 'vitest'
import { emptyFrame, FrameReader, FrameWriter, frameRoom, sealFrame } from '../../../../server/node/adnl/adnlFrames.ts'
import { Identity, isSignedBy, montgomerySecret, toMontgomery } from '../../../../server/node/adnl/adnlIdentity.ts'
import { makeHello, openHello, streamKeys } from '../../../../server/node/adnl/hello.ts'
import { decodePacket, encodeAnswer, encodePacket, encodeRequest, wrapQuery } from '../../../../server/tl/index.ts'

const hex = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('hex')
const hash = async (bytes: Uint8Array): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))))

const server = Identity.fromSeed(new Uint8Array(32).fill(7))
const client = Identity.fromSeed(new Uint8Array(32).fill(1))
const secret = Uint8Array.from({ length: 160 }, (_, i) => i)
const keys = streamKeys(secret)

const FROM_SERVER =
  'e37edf3f3df0104539d1c86d27f11bfd1adfb4390244ceeb21431764fafcff9b4fda09414d07dd5499db0feeb21bdb6cd0dd5a18c03f17806dfb9f13b2e5920597fb00a4'
const FROM_CLIENT =
  '08ab3ad8e94eec922b300f48cc4d82408771a978671bfcdd7296bcb4fc23f32d27ab9fbb28b1a99e10e3ca759441d0e64126d25361ecef4f6bc9709b0d3224472229286f9fa314fe1291c27225895743'

describe('keys', () => {
  test('of a server', () => {
    expect(hex(server.key)).toBe('ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c')
    expect(hex(server.keyId)).toBe('f75a574297c1721ec31e8e21e874c658b6b590a20cb24a2e94a098133a3020ff')
    expect(hex(toMontgomery(server.key))).toBe('761d88ec830413919dfe9d4d1d56f17e653c8c994082df5b137b90a0ae6edf74')
    expect(hex(montgomerySecret(new Uint8Array(32).fill(7)))).toBe(
      '28ad39fefd7fa3e200a9c626eef599e61a2d055c48a8288a4e7e4c4bca392878',
    )
  })

  test('of a client', () => {
    expect(hex(client.key)).toBe('8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c')
    expect(hex(toMontgomery(client.key))).toBe('1b1b58dd50ea14b60da17b790cd02754d970c9bab864ebb3c0f3016fe51d3f57')
  })

  test('both sides come to the same secret', () => {
    const shared = 'e284c1ca053c4d5f1b237b5e23f68040b995fba4654da81f3b32dda1ca8bce31'
    expect([hex(server.shareWith(client.key)), hex(client.shareWith(server.key))]).toEqual([shared, shared])
  })

  test.each([
    ['the point at infinity', `01${'00'.repeat(31)}`],
    ['the same with the sign bit', `01${'00'.repeat(30)}80`],
    ['y = p + 1, which is 1', `ee${'ff'.repeat(30)}7f`],
    ['y = 0', '00'.repeat(32)],
    ['y = -1, of order two', `ec${'ff'.repeat(30)}7f`],
  ])('error: %s shares nothing', (_, key) => {
    expect(server.shareWith(Buffer.from(key, 'hex'))).toBeNull()
  })

  test('signatures', () => {
    const signature = client.sign(secret)
    expect(isSignedBy(client.key, secret, signature)).toBe(true)
    expect(isSignedBy(server.key, secret, signature)).toBe(false)
    expect(isSignedBy(client.key, secret, signature.subarray(1))).toBe(false)
    expect(isSignedBy(new Uint8Array(32).fill(0xff), secret, signature)).toBe(false)
  })

  test('error: a seed of another length', () => {
    expect(() => Identity.fromSeed(new Uint8Array(31))).toThrow('a seed has 32 bytes, not 31')
  })
})

describe('hello', () => {
  const hello = makeHello(server.key, client, secret) ?? new Uint8Array()

  test('made', async () => {
    expect(hello).toHaveLength(256)
    expect(hex(hello.subarray(64, 96))).toBe('448ebbc9e1a31220a2f3830c18eef61b9bd070e5084b7fa2a359fe729184c719')
    expect(hex(hello.subarray(96, 112))).toBe('aac6a5846a92bf6c44fff9f99879e076')
    expect(await hash(hello)).toBe('d82981f62aaf7e04f1170ba49284b694b46aa0372bff8f909d6310c05c00ac03')
  })

  test('opened', () => {
    const { toClient, toServer } = openHello(hello, server) ?? keys
    expect([toClient.key, toClient.iv, toServer.key, toServer.iv].map(hex)).toEqual(
      [keys.toClient.key, keys.toClient.iv, keys.toServer.key, keys.toServer.iv].map(hex),
    )
    expect(openHello(hello, server)).not.toBeNull()
  })

  test('error: any bit changed', () => {
    const opened: number[] = []
    for (let at = 0; at < 256; at++) {
      const changed = Uint8Array.from(hello)
      changed[at] = (changed[at] ?? 0) ^ 1
      if (openHello(changed, server) !== null) opened.push(at)
    }
    expect(opened).toEqual([])
  })

  test('error: an invalid server key', () => {
    expect(makeHello(Uint8Array.of(1, ...new Uint8Array(31)), client, secret)).toBeNull()
  })
})

describe('frames', () => {
  test('the first one of the server', () => {
    const frame = sealFrame(emptyFrame(), new Uint8Array(32).fill(0xaa))
    expect(hex(frame)).toBe(
      `40000000${'aa'.repeat(32)}e0e77a507412b120f6ede61f62295b1a7b2ff19d3dcc8f7253e51663470c888e`,
    )
    expect(hex(new FrameWriter(keys.toClient).encrypt(frame))).toBe(FROM_SERVER)
  })

  test('the first one of the client', () => {
    const ping = encodePacket({ '@type': 'tcp.ping', random_id: 0x0807060504030201n }, frameRoom)
    const frame = sealFrame(ping, new Uint8Array(32).fill(0xbb))
    expect(hex(new FrameWriter(keys.toServer).encrypt(frame))).toBe(FROM_CLIENT)
  })

  test.each([1, 3, 31, 84, 200])('read in pieces of %i bytes', (size) => {
    const reader = new FrameReader(keys.toServer, 2 ** 24)
    const bytes = Buffer.from(FROM_CLIENT, 'hex')
    const payloads: string[] = []
    for (let at = 0; at < bytes.length; at += size) {
      reader.push(bytes.subarray(at, at + size))
      for (let payload = reader.next(); payload !== null; payload = reader.next()) payloads.push(hex(payload))
    }
    expect(payloads).toEqual(['9a2b084d0102030405060708'])
  })

  test('a query and its answer', () => {
    const query_id = new Uint8Array(32).fill(0xcc)
    const query = encodePacket({
      '@type': 'adnl.message.query',
      query_id,
      query: wrapQuery(encodeRequest('getTime', {})),
    })
    expect(hex(query)).toBe(`7af98bb4${'cc'.repeat(32)}0cdf068c7904345aad16000000000000`)
    const answer = encodePacket({
      '@type': 'adnl.message.answer',
      query_id,
      answer: encodeAnswer('getTime', { now: 1_700_000_000 }),
    })
    expect(hex(answer)).toBe(`1684ac0f${'cc'.repeat(32)}080d0053e900f15365000000`)
    expect(decodePacket(answer)).toMatchObject({ query_id })
  })
})
