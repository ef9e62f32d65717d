// Packed text made whole again: see `codes.ts`.

import { type ByteSpan, spanOf } from '../span.ts'
import {
  BAG,
  BYTES,
  EARLIER,
  FIRST_RUN,
  GIVEN,
  HASH_BYTES,
  HOLE,
  KINDS_OF_BYTES,
  LEAST_VALUE,
  MARK_LENGTH,
  NUMBERS,
  runs,
  SPACE,
} from './codes.ts'
import { TextBytes } from './textBytes.ts'

export interface PackedText {
  readonly text: ByteSpan
  /** The bytes that were listed apart, one after the other; null for none. */
  readonly bags: ByteSpan | null
}

/** What was left out of a text, by its number: the reader adds it. */
export interface LeftOut {
  given(number: number, to: UnpackedText): void
  hole(number: number, to: UnpackedText): void
}

const NOTHING: LeftOut = { given: () => undefined, hole: () => undefined }

const RUN_BYTES = Buffer.from(runs.join(''))
/** Where each run ends; the next one begins there. */
const RUN_ENDS = new Uint32Array(runs.length)
for (const [number, run] of runs.entries()) RUN_ENDS[number] = (RUN_ENDS[number - 1] ?? 0) + Buffer.byteLength(run)

/** Beginning and end of values that have a number. */
const placesOfValues = (): Uint32Array => new Uint32Array(2 * NUMBERS)

const markCount = ({ text: { source, at, end } }: PackedText): number => (at < end ? (source[at] ?? 0) : SPACE) - SPACE

/** Several texts one after the other. */
export class UnpackedText extends TextBytes {
  /** Of the text that is unpacked, and of those in its holes. */
  readonly #places: Uint32Array[] = []
  #depth = 0

  constructor() {
    super(RUN_BYTES)
  }

  unpack(packed: PackedText, leftOut: LeftOut = NOTHING): void {
    const places = this.#places[this.#depth] ?? placesOfValues()
    this.#places[this.#depth++] = places
    try {
      this.#unpack(packed, leftOut, places)
    } finally {
      this.#depth--
    }
  }

  #unpack(packed: PackedText, leftOut: LeftOut, places: Uint32Array): void {
    const { text, bags } = packed
    const { source, end } = text
    const marks = markCount(packed)
    let bagAt = (bags?.at ?? 0) + marks * HASH_BYTES
    let values = marks
    let i = text.at + 1 + (bags === null ? marks * MARK_LENGTH : 0)
    while (i < end) {
      const code = source[i] ?? 0
      const from = this.at
      if (code >= SPACE) {
        i = this.copyPlain(source, i, end)
        values = this.#note(places, values, from)
        continue
      }
      const number = (source[i + 1] ?? SPACE) - SPACE
      i += 2
      if (code === GIVEN) leftOut.given(number, this)
      else if (code === HOLE) leftOut.hole(number, this)
      else if (code === EARLIER) {
        if (number < marks) this.#mark(packed, number)
        else if (number < values) this.again(places[2 * number] ?? 0, places[2 * number + 1] ?? 0)
      } else if (code === BAG) {
        const length = number * NUMBERS + (source[i++] ?? SPACE) - SPACE
        bagAt = this.#bytes(bags, bagAt, length, -1)
        values = this.#note(places, values, from)
      } else if (code === BYTES) {
        bagAt = this.#bytes(
          bags,
          bagAt,
          number > KINDS_OF_BYTES.hex ? number - KINDS_OF_BYTES.number : HASH_BYTES,
          number,
        )
        values = this.#note(places, values, from)
      } else this.#run((code - FIRST_RUN) * NUMBERS + number)
    }
  }

  /** Numbers the value since a place, unless it is short; returns how many have numbers. */
  #note(places: Uint32Array, values: number, from: number): number {
    if (values >= NUMBERS || this.at - from < LEAST_VALUE || this.unitsSince(from) < LEAST_VALUE) return values
    places[2 * values] = from
    places[2 * values + 1] = this.at
    return values + 1
  }

  /** A value by its bytes, and where the next ones are. */
  #bytes(bags: ByteSpan | null, at: number, length: number, kind: number): number {
    if (bags === null) return at
    const end = Math.min(at + length, bags.end)
    if (kind === KINDS_OF_BYTES.hash) this.hash(bags.source, at)
    else if (kind === KINDS_OF_BYTES.hex) this.hex(bags.source, at, end)
    else if (kind < 0) this.base64(bags.source, at, end)
    else {
      let value = 0
      for (let i = at; i < end; i++) value = value * 256 + (bags.source[i] ?? 0)
      this.digits(value)
    }
    return end
  }

  #mark({ text, bags }: PackedText, number: number): void {
    const at = text.at + 1 + number * MARK_LENGTH
    if (bags === null) this.copy(text.source, at, at + MARK_LENGTH)
    else this.hash(bags.source, bags.at + number * HASH_BYTES)
  }

  #run(number: number): void {
    this.again(RUN_ENDS[number - 1] ?? 0, RUN_ENDS[number] ?? 0)
  }
}

/** Hashes that were packed with it, in base64. */
export function marksOf(packed: PackedText): string[] {
  const { text, bags } = packed
  const { source } = bags ?? text
  const all = Buffer.isBuffer(source) ? source : Buffer.from(source.buffer, source.byteOffset)
  const count = markCount(packed)
  const found: string[] = []
  for (let i = 0; i < count; i++) {
    const from = bags === null ? text.at + 1 + i * MARK_LENGTH : bags.at + i * HASH_BYTES
    found.push(
      bags === null
        ? `${all.toString('latin1', from, from + MARK_LENGTH)}=`
        : all.toString('base64', from, from + HASH_BYTES),
    )
  }
  return found
}

const scratch = new UnpackedText()

/** The text again. `given` are the values it was packed with, `bags` the bytes that were listed apart. */
export function unpackText(
  packed: string,
  given: readonly string[],
  holes: readonly string[] = [],
  bags?: Uint8Array,
): string {
  scratch.begin()
  scratch.unpack(
    { text: spanOf(packed), bags: bags === undefined ? null : spanOf(bags) },
    { given: (number, to) => to.string(given[number] ?? ''), hole: (number, to) => to.string(holes[number] ?? '') },
  )
  return scratch.take()
}
