// Bit strings inside byte arrays. A position is an absolute bit number, most significant bit of byte 0 first. Nothing
// here checks bounds: slices, builders and dictionaries do that once per operation.

const WIDE = new DataView(new ArrayBuffer(8))

export const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0

/** The bit at `at`, 0 or 1. */
export const bitAt = (bytes: Uint8Array, at: number): 0 | 1 =>
  ((byteAt(bytes, at >>> 3) >> (7 - (at & 7))) & 1) === 1 ? 1 : 0

/** Sets or clears one bit. */
export function putBit(bytes: Uint8Array, at: number, bit: number): void {
  const mask = 128 >> (at & 7)
  const byte = byteAt(bytes, at >>> 3)
  bytes[at >>> 3] = bit === 0 ? byte & ~mask : byte | mask
}

/** Up to 8 bits as a number. */
function peek(bytes: Uint8Array, at: number, length: number): number {
  const offset = at & 7
  const first = byteAt(bytes, at >>> 3)
  const spare = 8 - offset - length
  if (spare >= 0) return (first >> spare) & ((1 << length) - 1)
  return (((first << 8) | byteAt(bytes, (at >>> 3) + 1)) >> (8 + spare)) & ((1 << length) - 1)
}

/** Up to 32 bits as an unsigned number. */
function readShort(bytes: Uint8Array, at: number, length: number): number {
  const offset = at & 7
  let index = at >>> 3
  let left = length - (8 - offset)
  let value = byteAt(bytes, index) & (255 >> offset)
  if (left <= 0) return value >> -left
  for (; left >= 8; left -= 8) value = (value << 8) | byteAt(bytes, ++index)
  if (left > 0) value = (value << left) | (byteAt(bytes, index + 1) >> (8 - left))
  return value >>> 0
}

/** Up to 53 bits as an unsigned number. */
export const readUint = (bytes: Uint8Array, at: number, length: number): number =>
  length <= 32
    ? readShort(bytes, at, length)
    : readShort(bytes, at, length - 32) * 0x1_0000_0000 + readShort(bytes, at + length - 32, 32)

/** Any number of bits as an unsigned bigint. */
export function readBig(bytes: Uint8Array, at: number, length: number): bigint {
  let value = 0n
  let from = at
  let left = length
  const head = left & 63
  if (head > 0 || left === 0) {
    value = BigInt.asUintN(64, headOf(bytes, from, head))
    from += head
    left -= head
  }
  for (; left > 0; left -= 64, from += 64) {
    WIDE.setUint32(0, readShort(bytes, from, 32))
    WIDE.setUint32(4, readShort(bytes, from + 32, 32))
    const word = WIDE.getBigUint64(0)
    value = value === 0n ? word : (value << 64n) | word
  }
  return value
}

function headOf(bytes: Uint8Array, at: number, length: number): bigint {
  if (length === 0) return 0n
  if (length <= 32) return BigInt(readShort(bytes, at, length))
  WIDE.setUint32(0, readShort(bytes, at, length - 32))
  WIDE.setUint32(4, readShort(bytes, at + length - 32, 32))
  return WIDE.getBigUint64(0)
}

/**
 * Writes the low `length` (0 to 32) bits of `value`. Bits before `at` in the same byte are kept, bits after the last
 * written one in its byte become zero: writers only ever append.
 */
export function writeShort(bytes: Uint8Array, at: number, value: number, length: number): void {
  if (length === 0) return
  const offset = at & 7
  let index = at >>> 3
  let left = length
  if (offset !== 0) {
    const room = 8 - offset
    const kept = byteAt(bytes, index) & ~((1 << room) - 1)
    if (left <= room) {
      bytes[index] = kept | ((value << (room - left)) & ((1 << room) - 1))
      return
    }
    left -= room
    bytes[index++] = kept | ((value >>> left) & ((1 << room) - 1))
  }
  while (left >= 8) {
    left -= 8
    bytes[index++] = value >>> left
  }
  if (left > 0) bytes[index] = value << (8 - left)
}

/** Writes the low `length` bits of a non-negative bigint, under the same rule as `writeShort`. */
export function writeBig(bytes: Uint8Array, at: number, value: bigint, length: number): void {
  let to = at
  let left = length
  while (left > 0) {
    const part = left & 63 || 64
    left -= part
    WIDE.setBigUint64(0, left === 0 ? value : value >> BigInt(left))
    if (part > 32) {
      writeShort(bytes, to, WIDE.getUint32(0), part - 32)
      writeShort(bytes, to + part - 32, WIDE.getUint32(4), 32)
    } else writeShort(bytes, to, WIDE.getUint32(4), part)
    to += part
  }
}

/** How many bytes a non-negative bigint needs; 0 for zero. */
export function byteLength(value: bigint): number {
  if (BigInt.asUintN(64, value) !== value) return (value.toString(16).length + 1) >> 1
  WIDE.setBigUint64(0, value)
  const high = WIDE.getUint32(0)
  return high === 0 ? (39 - Math.clz32(WIDE.getUint32(4))) >> 3 : 4 + ((39 - Math.clz32(high)) >> 3)
}

/** Copies `length` bits, under the same rule as `writeShort`. The two arrays must not overlap. */
export function copyBits(to: Uint8Array, at: number, from: Uint8Array, start: number, length: number): void {
  let source = start
  let left = length
  let index = at >>> 3
  const offset = at & 7
  if (offset !== 0 && left > 0) {
    const part = Math.min(8 - offset, left)
    writeShort(to, at, peek(from, source, part), part)
    source += part
    left -= part
    index++
  }
  const shift = source & 7
  let read = source >>> 3
  const whole = left >> 3
  if (shift === 0) {
    if (whole > 40) {
      to.set(from.subarray(read, read + whole), index)
      index += whole
    } else for (let i = 0; i < whole; i++) to[index++] = byteAt(from, read + i)
  } else {
    const back = 8 - shift
    let high = byteAt(from, read)
    for (let i = 0; i < whole; i++) {
      const low = byteAt(from, ++read)
      to[index++] = (high << shift) | (low >> back)
      high = low
    }
  }
  const rest = left & 7
  if (rest > 0) to[index] = peek(from, source + left - rest, rest) << (8 - rest)
}

/** How many leading bits two bit strings of `length` bits have in common. */
export function commonBits(a: Uint8Array, from: number, b: Uint8Array, start: number, length: number): number {
  let done = 0
  for (; done + 32 <= length; done += 32) {
    const differ = readShort(a, from + done, 32) ^ readShort(b, start + done, 32)
    if (differ !== 0) return done + Math.clz32(differ)
  }
  for (; done + 8 <= length; done += 8) {
    const differ = peek(a, from + done, 8) ^ peek(b, start + done, 8)
    if (differ !== 0) return done + Math.clz32(differ) - 24
  }
  const rest = length - done
  if (rest === 0) return length
  const differ = peek(a, from + done, rest) ^ peek(b, start + done, rest)
  return differ === 0 ? length : done + Math.clz32(differ) - (32 - rest)
}
