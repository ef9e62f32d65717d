// Verifies again, after the start, the records an opening took from the outline: slowly, in pieces with pauses between them.

import { setTimeout as pause } from 'node:timers/promises'
import { crc32c } from '../../cell/index.ts'
import type { LogFile } from './files.ts'
import { LogDamaged } from './logErrors.ts'
import { FRAME_BYTES, isWhole, type LogPosition, RECORD_HEAD_BYTES, type RecordHead, readHead } from './logRecord.ts'
import type { LogSpan } from './scan.ts'
import { HEADER_BYTES, type Segment } from './segment.ts'
import type { SegmentReaders } from './segmentReaders.ts'

/** Verified in a millisecond; one in so many milliseconds makes at most 16 MB a second. */
const PIECE_BYTES = 256 * 1024
const PAUSE_MS = 16

/** What an opening did not verify. */
export interface UnverifiedPart {
  /** Behind its last record. */
  readonly end: LogPosition
  /** Where its records begin, in their order: verifying goes on there behind bytes that are no record. */
  readonly known: readonly LogPosition[]
}

interface Verifying {
  readonly readers: SegmentReaders
  readonly segmentOf: (number: number) => Segment
  readonly report: (damage: LogDamaged, at: LogPosition) => void
  /** Ends it. */
  readonly signal: AbortSignal
}

/** Reports every damaged record of a part; resolves when all are verified, or at the signal. */
export async function verifyPart({ end, known }: UnverifiedPart, verifying: Verifying): Promise<void> {
  const { readers, segmentOf, signal } = verifying
  let next = 0
  for (let number = 1; number <= end.segment && !signal.aborted; number++) {
    const segment = segmentOf(number)
    const first = next
    while (known[next]?.segment === number) next++
    const offsets = known.slice(first, next).map(({ offset }) => offset)
    await readers
      .use(segment, async (file) => {
        const span = { from: HEADER_BYTES, to: number === end.segment ? end.offset : await file.size() }
        await verifySegment(new Pieces(file, segment, signal), { segment, span, offsets, verifying })
      })
      .catch((error: unknown) => reportIn(verifying, segment, HEADER_BYTES, error))
  }
}

function reportIn({ report, signal }: Verifying, segment: Segment, offset: number, error: unknown): void {
  if (signal.aborted) return
  const what = error === null ? 'this is not what was written' : `it cannot be read (${String(error)})`
  report(new LogDamaged(segment.path, offset, what), { segment: segment.number, offset })
}

interface SegmentSpan {
  readonly segment: Segment
  readonly span: LogSpan
  /** At which records begin, ascending. */
  readonly offsets: readonly number[]
  readonly verifying: Verifying
}

async function verifySegment(pieces: Pieces, { segment, span, offsets, verifying }: SegmentSpan): Promise<void> {
  let known = 0
  for (let from = span.from; from < span.to && !verifying.signal.aborted; ) {
    let size: number | null = null
    try {
      size = await pieces.verify({ from, to: span.to })
      if (size === null || size < 0) reportIn(verifying, segment, from, null)
    } catch (error) {
      reportIn(verifying, segment, from, error)
    }
    while ((offsets[known] ?? span.to) <= from) known++
    from = size === null ? (offsets[known] ?? span.to) : from + Math.abs(size)
  }
}

class Pieces {
  readonly #file: LogFile
  readonly #seed: number
  readonly #signal: AbortSignal
  readonly #bytes = Buffer.allocUnsafe(PIECE_BYTES)
  #start = 0
  #filled = 0

  constructor(file: LogFile, { seed }: Segment, signal: AbortSignal) {
    this.#file = file
    this.#seed = seed
    this.#signal = signal
  }

  /** Size of the record at the start of a span, negative when it is damaged; null when none begins there. */
  async verify({ from, to }: LogSpan): Promise<number | null> {
    if (to - from < FRAME_BYTES) return null
    if (!this.#has(from, FRAME_BYTES)) await this.#load(from, to)
    const head = this.#has(from, FRAME_BYTES) ? readHead(this.#bytes, from - this.#start, this.#seed, from) : null
    const size = FRAME_BYTES + (head?.length ?? 0)
    if (head === null || size > to - from) return null
    if (!this.#has(from, size)) await this.#load(from, to)
    const whole = this.#has(from, size)
      ? isWhole(this.#bytes, from - this.#start, head)
      : await this.#isLargeWhole(from, head)
    return whole ? size : -size
  }

  #has(offset: number, size: number): boolean {
    return offset >= this.#start && offset + size <= this.#start + this.#filled
  }

  async #load(offset: number, to: number): Promise<void> {
    await pause(PAUSE_MS, undefined, { signal: this.#signal, ref: false })
    this.#start = offset
    this.#filled = await this.#file.read(this.#bytes.subarray(0, to - offset), offset)
  }

  /** Whether a record that is larger than a piece is what was written. */
  async #isLargeWhole(offset: number, { length, sum }: RecordHead): Promise<boolean> {
    const end = offset + RECORD_HEAD_BYTES + length
    let found = sum
    for (let at = offset + RECORD_HEAD_BYTES; at < end; at += this.#filled) {
      await this.#load(at, end)
      if (this.#filled === 0) return false
      found = crc32c(this.#bytes, 0, this.#filled, found)
    }
    await this.#load(end, end + FRAME_BYTES - RECORD_HEAD_BYTES)
    return this.#has(end, 4) && this.#bytes.readUInt32LE(0) === found
  }
}
