// Bits that are copied from any position to any other, in any number.

import { expect, test } from 'vitest'
import { bitAt, copyBits, putBit } from '../../../server/cell/bits.ts'

const SOURCE = Buffer.from(Array.from({ length: 140 }, (_, i) => (i * 73 + (i >> 2)) & 255))
/** Of all sizes that are copied in another way, and of those around them. */
const LENGTHS = [...Array(80).keys(), ...Array.from({ length: 40 }, (_, i) => 310 + i), 1022, 1023]

test.each(Array.from({ length: 8 }, (_, at) => at))('to bit %i, from any', (at) => {
  for (let start = 0; start < 8; start++)
    for (const length of LENGTHS) {
      const copied = Buffer.alloc(140)
      copyBits(copied, at, SOURCE, start, length)
      const wanted = Buffer.alloc(140)
      for (let i = 0; i < length; i++) putBit(wanted, at + i, bitAt(SOURCE, start + i))
      expect(copied.equals(wanted), `${length} bits from ${start}`).toBe(true)
    }
})
