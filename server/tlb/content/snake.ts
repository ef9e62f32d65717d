// Bytes that do not fit one cell: as a snake they go on in a reference, chunked they lie in a dictionary by number.

import { type Cell, dictKind, loadDict, openCell, refValue, type Slice, uintKey } from '../../cell/index.ts'

const chunkKind = dictKind(uintKey(32), refValue)

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const openOrdinary = (cell: Cell): Slice | null => (cell.isExotic ? null : openCell(cell))

/**
 * Bytes that go on from cell to cell. Null for more than `most`, for bits that are no whole bytes, and for cells that branch or
 * that `open` refuses with null: exotic ones by default.
 */
export function snakeBytes(
  start: Slice,
  most = Number.MAX_SAFE_INTEGER,
  open: (cell: Cell) => Slice | null = openOrdinary,
): Buffer | null {
  const parts: Uint8Array[] = []
  let length = 0
  for (let slice = start; ; ) {
    length += slice.remainingBits / 8
    if (slice.remainingBits % 8 !== 0 || slice.remainingRefs > 1 || length > most) return null
    parts.push(slice.loadBytes(slice.remainingBits / 8))
    if (slice.remainingRefs === 0) return Buffer.concat(parts)
    const next = open(slice.loadRef())
    if (next === null) return null
    slice = next
  }
}

/**
 * Bytes of a `HashmapE 32 ^Cell`, each entry a snake and a piece, in the order of their numbers; null as `snakeBytes`. Cells that share
 * subtrees can claim any number of chunks, empty ones too: `open` bounds it.
 */
export function* chunkedBytes(
  slice: Slice,
  most: number,
  open: (cell: Cell) => Slice | null,
): Generator<void, Buffer | null> {
  const parts: Buffer[] = []
  let left = most
  for (const [, cell] of loadDict(slice, chunkKind)) {
    const start = open(cell)
    const part = start && snakeBytes(start, left, open)
    if (part === null) return null
    parts.push(part)
    left -= part.length
    yield
  }
  return Buffer.concat(parts)
}

/** The text in bytes of UTF-8; null when they are something else. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
