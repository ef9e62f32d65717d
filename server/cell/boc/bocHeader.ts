// The header of a bag of cells in its three forms. All sizes are checked against the real length of the input before
// anything is allocated, so a header that claims billions of cells is refused for what it is.

import { BocError } from '../cellErrors.ts'
import { crc32c } from '../crc32c.ts'

/** Limits of reading. */
export interface BocLimits {
  /** Default 64 MiB. */
  readonly maxBytes?: number
  /** Distinct cells; default 1,048,576. */
  readonly maxCells?: number
  /** Depth of the deepest tree; default 512, never more than 1024. */
  readonly maxDepth?: number
  /** How many roots there may be; `readBoc` requires exactly one. Default 16,384. */
  readonly maxRoots?: number
  /**
   * The bytes were made for these cells by a trusted writer: they are not copied, so they must not be written to any
   * more; their checksum is not verified, and hashes stored with cells are adopted.
   */
  readonly isOwn?: boolean
  /** The bytes are not written to any more: cells use them without a copy. Everything is checked all the same. */
  readonly isConstant?: boolean
  /** The bytes as a whole were checked against their hash, so that the checksum adds nothing. */
  readonly isHashed?: boolean
}

export interface BocHeader {
  readonly cells: number
  /** Bytes of a cell number. */
  readonly refSize: number
  readonly roots: readonly number[]
  /** First byte of the index, or 0 without one. */
  readonly indexAt: number
  readonly indexSize: number
  readonly hasCacheBits: boolean
  readonly dataAt: number
  readonly dataEnd: number
}

const GENERIC = 0xb5ee9c72
const INDEXED = 0x68ff65f3
const INDEXED_CRC = 0xacc3a728
/** Bit positions stay small integers below this. */
const MOST_BYTES = 0x0fffffff

/** A big-endian number of up to 8 bytes; imprecise above 2^53, which every check takes for too large. */
export function readNumber(bytes: Buffer, at: number, size: number): number {
  let value = 0
  for (let i = 0; i < size; i++) value = value * 256 + (bytes[at + i] ?? 0)
  return value
}

/** Reads and checks everything before the cells, and the checksum of what comes from elsewhere. */
export function readHeader(bytes: Buffer, limits: BocLimits): BocHeader {
  const maxBytes = Math.min(limits.maxBytes ?? 1 << 26, MOST_BYTES)
  if (bytes.length > maxBytes) throw new BocError('tooLarge', `a bag of cells may have up to ${maxBytes} bytes`)
  if (bytes.length < 6) throw new BocError('truncated', 'the bag of cells ends within its header')
  const magic = bytes.readUInt32BE(0)
  const generic = magic === GENERIC
  if (!generic && magic !== INDEXED && magic !== INDEXED_CRC) throw new BocError('magic', 'this is no bag of cells')
  const flags = bytes[4] ?? 0
  const hasIndex = generic ? (flags & 128) !== 0 : true
  const hasCrc = generic ? (flags & 64) !== 0 : magic === INDEXED_CRC
  const hasCacheBits = generic && (flags & 32) !== 0
  const refSize = flags & 7
  const wideSize = bytes[5] ?? 0
  if ((flags & 24) !== 0 || (!generic && flags > 7) || (hasCacheBits && !hasIndex))
    throw new BocError('header', `flags ${flags} of the bag of cells`)
  if (refSize < 1 || refSize > 4) throw new BocError('header', `cell numbers of ${refSize} bytes`)
  if (wideSize < 1 || wideSize > 8) throw new BocError('header', `offsets of ${wideSize} bytes`)

  const rootsAt = 6 + 3 * refSize + wideSize
  if (bytes.length < rootsAt) throw new BocError('truncated', 'the bag of cells ends within its header')
  const cells = readNumber(bytes, 6, refSize)
  const rootCount = readNumber(bytes, 6 + refSize, refSize)
  const absent = readNumber(bytes, 6 + 2 * refSize, refSize)
  const dataSize = readNumber(bytes, 6 + 3 * refSize, wideSize)
  checkCounts(cells, rootCount, absent, generic, limits)

  const indexAt = rootsAt + (generic ? rootCount * refSize : 0)
  const dataAt = indexAt + (hasIndex ? cells * wideSize : 0)
  const dataEnd = dataAt + dataSize
  const total = dataEnd + (hasCrc ? 4 : 0)
  if (total > bytes.length) throw new BocError('truncated', `${total} bytes are announced, ${bytes.length} are there`)
  if (total < bytes.length) throw new BocError('trailing', `${bytes.length - total} bytes follow the bag of cells`)
  // Every cell has at least its two descriptors.
  if (dataSize < 2 * cells) throw new BocError('header', `${cells} cells do not fit ${dataSize} bytes`)
  const isTrusted = limits.isOwn === true || limits.isHashed === true
  if (hasCrc && !isTrusted && crc32c(bytes, 0, dataEnd) !== bytes.readUInt32LE(dataEnd))
    throw new BocError('crc', 'the checksum of the bag of cells is wrong')

  const roots: number[] = []
  for (let i = 0; i < rootCount; i++) {
    const root = generic ? readNumber(bytes, rootsAt + i * refSize, refSize) : 0
    if (root >= cells) throw new BocError('roots', `root ${root} of ${cells} cells`)
    roots.push(root)
  }
  return { cells, refSize, roots, indexAt: hasIndex ? indexAt : 0, indexSize: wideSize, hasCacheBits, dataAt, dataEnd }
}

function checkCounts(cells: number, roots: number, absent: number, generic: boolean, limits: BocLimits): void {
  const maxCells = limits.maxCells ?? 1 << 20
  const maxRoots = limits.maxRoots ?? 16_384
  if (cells < 1) throw new BocError('header', 'the bag of cells is empty')
  if (roots < 1 || (!generic && roots !== 1)) throw new BocError('roots', `${roots} roots`)
  if (roots > maxRoots) throw new BocError('roots', `${roots} roots where up to ${maxRoots} are accepted`)
  if (absent > 0) throw new BocError('absent', 'absent cells are not supported')
  if (cells > maxCells) throw new BocError('tooManyCells', `a bag may have up to ${maxCells} cells, not ${cells}`)
}
