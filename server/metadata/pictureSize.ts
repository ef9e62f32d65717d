// How many pixels a picture has, by its first bytes: a few kilobytes may unpack to gigabytes in the browser that shows them.

interface Kind {
  readonly type: string
  /** What files begin with, as hex. */
  readonly beginning: RegExp
  /** Width and height; null where they are not to be found. Throws RangeError for a file that is cut off. */
  readonly sides: (file: Buffer) => readonly [number, number] | null
}

/** Of segments or parts of one file; those of cameras have some dozens. */
const MOST_PARTS = 4096

function sidesOfJpeg(file: Buffer): readonly [number, number] | null {
  for (let at = 2, part = 0; part < MOST_PARTS && file.readUInt8(at) === 0xff; part++) {
    const marker = file.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return [file.readUInt16BE(at + 7), file.readUInt16BE(at + 5)]
    // Filling bytes before a marker, and markers without content.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else at += 2 + Math.max(2, file.readUInt16BE(at + 2))
  }
  return null
}

const tableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** A first frame larger than its screen makes the picture larger. */
function sidesOfGif(file: Buffer): readonly [number, number] | null {
  let at = 13 + tableBytes(file.readUInt8(10))
  let parts = 0
  while (file.readUInt8(at) === 0x21) {
    at += 2
    for (; file.readUInt8(at) !== 0; at += 1 + file.readUInt8(at)) if (++parts > MOST_PARTS) return null
    at += 1
  }
  if (file.readUInt8(at) !== 0x2c) return null
  const right = file.readUInt16LE(at + 1) + file.readUInt16LE(at + 5)
  const bottom = file.readUInt16LE(at + 3) + file.readUInt16LE(at + 7)
  return [Math.max(file.readUInt16LE(6), right), Math.max(file.readUInt16LE(8), bottom)]
}

function sidesOfWebp(file: Buffer): readonly [number, number] | null {
  const form = file.toString('latin1', 12, 16)
  if (form === 'VP8X') return [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1]
  if (form === 'VP8 ') return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff]
  const bits = file.readUInt32LE(21)
  return form === 'VP8L' ? [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1] : null
}

function sidesOfPng(file: Buffer): readonly [number, number] | null {
  const isFirst = file.toString('latin1', 12, 16) === 'IHDR'
  return isFirst ? [file.readUInt32BE(16), file.readUInt32BE(20)] : null
}

/** AVIF is none of them: what its stream unpacks to is not what its container says. */
const KINDS: readonly Kind[] = [
  { type: 'image/png', beginning: /^89504e470d0a1a0a/, sides: sidesOfPng },
  { type: 'image/jpeg', beginning: /^ffd8ff/, sides: sidesOfJpeg },
  { type: 'image/gif', beginning: /^47494638(?:37|39)61/, sides: sidesOfGif },
  { type: 'image/webp', beginning: /^52494646.{8}57454250/, sides: sidesOfWebp },
]

/** What a file is as a picture; null for anything else, for markup such as SVG too. */
export function describePicture(file: Buffer): { readonly type: string; readonly pixels: number } | null {
  const beginning = file.toString('hex', 0, 16)
  const kind = KINDS.find((one) => one.beginning.test(beginning))
  try {
    const sides = kind?.sides(file) ?? null
    return kind === undefined || sides === null ? null : { type: kind.type, pixels: sides[0] * sides[1] }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
