// The bytes of a comment, read as the public service reads them: from the first reference of each cell to the next, whatever other
// references there are, and with bits that only together make whole bytes.

import { openCell, type Slice } from '../../cell/index.ts'

function fill(bytes: Buffer, slices: readonly Slice[]): Buffer {
  let at = 0
  let begun = 0
  let bits = 0
  for (const slice of slices)
    while (slice.remainingBits > 0) {
      if (bits === 0 && slice.remainingBits >= 8) {
        const whole = slice.loadBytes(slice.remainingBits >> 3)
        bytes.set(whole, at)
        at += whole.length
        continue
      }
      const more = Math.min(8 - bits, slice.remainingBits)
      begun = (begun << more) | slice.loadUint(more)
      bits += more
      if (bits < 8) continue
      bytes[at++] = begun
      begun = bits = 0
    }
  return bytes
}

/** Null for bits that are no whole bytes, and for an exotic cell. */
export function commentBytes(start: Slice): Buffer | null {
  const slices: Slice[] = []
  let bits = 0
  for (let slice = start; ; ) {
    slices.push(slice)
    bits += slice.remainingBits
    if (slice.remainingRefs === 0) break
    const next = slice.preloadRef()
    if (next.isExotic) return null
    slice = openCell(next)
  }
  return bits % 8 === 0 ? fill(Buffer.alloc(bits / 8), slices) : null
}
