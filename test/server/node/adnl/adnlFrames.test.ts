import { describe, expect, test } from 'vitest'
import { FrameReader, FrameWriter, frameRoom, MAX_FRAME, sealFrame } from '../../../../server/node/adnl/adnlFrames.ts'
import { streamKeys } from '../../../../server/node/adnl/hello.ts'
import { Random } from '../../../setup/random.ts'

const random = new Random(11)
const { toServer } = streamKeys(random.bytes(160))

function frameOf(payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(frameRoom.before + payload.length + frameRoom.after)
  bytes.set(payload, frameRoom.before)
  return sealFrame(bytes)
}

function read(reader: FrameReader): Uint8Array[] {
  const payloads: Uint8Array[] = []
  for (let payload = reader.next(); payload !== null; payload = reader.next()) payloads.push(payload)
  return payloads
}

describe('reading', () => {
  test('frames of all sizes, cut anywhere', () => {
    for (let round = 0; round < 40; round++) {
      const sent = Array.from({ length: 30 }, () => random.bytes(random.skewedBelow(9000)))
      const stream = new FrameWriter(toServer).encrypt(Buffer.concat(sent.map(frameOf)))
      const reader = new FrameReader(toServer, MAX_FRAME)
      const got: Uint8Array[] = []
      const most = random.pick([3, 100, 2000, 70_000])
      for (let at = 0; at < stream.length; ) {
        const end = Math.min(stream.length, at + 1 + random.below(most))
        reader.push(stream.subarray(at, end))
        got.push(...read(reader))
        at = end
      }
      expect(got.map(({ length }) => length)).toEqual(sent.map(({ length }) => length))
      expect(Buffer.compare(Buffer.concat(got), Buffer.concat(sent))).toBe(0)
    }
  })

  test('the largest frame', () => {
    const payload = new Uint8Array(MAX_FRAME - 64)
    payload[payload.length - 1] = 7
    const stream = new FrameWriter(toServer).encrypt(frameOf(payload))
    const reader = new FrameReader(toServer, MAX_FRAME)
    for (let at = 0; at < stream.length; at += 65_536) reader.push(stream.subarray(at, at + 65_536))
    expect(Buffer.compare(reader.next() ?? new Uint8Array(), payload)).toBe(0)
  })

  test('memory: a frame that comes byte by byte takes about its own size', () => {
    const size = 100_000
    const stream = new FrameWriter(toServer).encrypt(frameOf(new Uint8Array(size)))
    const reader = new FrameReader(toServer, MAX_FRAME)
    for (let at = 0; at < stream.length - 1; at++) reader.push(stream.subarray(at, at + 1))
    expect(reader.next()).toBeNull()
    expect(reader.chunks).toBeLessThan(20)
    reader.push(stream.subarray(-1))
    expect(reader.next()).toHaveLength(size)
  })
})

describe('error', () => {
  const readerOf = (plain: Uint8Array, maxFrame = MAX_FRAME): FrameReader => {
    const reader = new FrameReader(toServer, maxFrame)
    reader.push(new FrameWriter(toServer).encrypt(plain))
    return reader
  }

  test.each([0, 1, 63, 2 ** 24 + 1, 2 ** 31, 2 ** 32 - 1])('a length of %i', (length) => {
    const head = new Uint8Array(4)
    new DataView(head.buffer).setUint32(0, length, true)
    expect(() => readerOf(head).next()).toThrow(`a frame of ${length} bytes; 64 to 16777216 are allowed`)
  })

  test('a frame longer than this side takes', () => {
    expect(() => readerOf(frameOf(new Uint8Array(1000)), 1000).next()).toThrow('a frame of 1064 bytes; 64 to 1000')
  })

  test('a wrong hash, by any bit of the frame', () => {
    const frame = frameOf(Uint8Array.of(1, 2, 3))
    for (let at = 4; at < frame.length; at++) {
      const changed = frame.slice()
      changed[at] = (changed[at] ?? 0) ^ 0x80
      expect(() => readerOf(changed).next()).toThrow('a frame with a wrong hash')
    }
  })
})
