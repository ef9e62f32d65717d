import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32c } from '../../../server/cell/index.ts'

test('default: the check value of the standard', () => {
  expect(crc32c(Buffer.from('123456789')).toString(16)).toBe('e3069283')
  expect(crc32c(new Uint8Array())).toBe(0)
})

test('behavior: equals the bit-by-bit definition, in one piece or several', () => {
  const slow = (bytes: Uint8Array): number => {
    let crc = 0xffffffff
    for (const byte of bytes) {
      crc ^= byte
      for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
    }
    return ~crc >>> 0
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, cut) => {
      const middle = Math.min(cut, bytes.length)
      expect(crc32c(bytes)).toBe(slow(bytes))
      expect(crc32c(bytes, middle, bytes.length, crc32c(bytes, 0, middle))).toBe(slow(bytes))
    }),
  )
})
