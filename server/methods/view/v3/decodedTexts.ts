// Decoded bodies as JSON text by the hashes of the bodies, in one buffer that is written round and round: the oldest are overwritten.
// As entries of a map, each would be some objects, and to clean them up took as long as to decode some bodies again.

import type { TextBytes } from '../../../store/index.ts'

const HASH_BYTES = 32

/** Slots for hashes with the same beginning. */
const SLOTS = 4

interface Sizes {
  /** Of all texts with their hashes. */
  readonly bytes: number
  /** Groups of slots: a power of 2, at most 65,536. */
  readonly groups?: number
}

const USUAL_GROUPS = 16_384
/** A longer text would take the place of many. */
const MOST_LENGTH = 4096

export class DecodedTexts {
  readonly #sizes: Required<Sizes>
  /** Made with the first text. Pages of it that are not written yet take no memory. */
  #bytes = new Uint8Array()
  /** Where texts begin, counted on from round to round; -1 for none. */
  readonly #places: Float64Array
  readonly #lengths: Uint16Array
  #next = 0

  constructor({ bytes, groups = USUAL_GROUPS }: Sizes) {
    this.#sizes = { bytes, groups }
    this.#places = new Float64Array(SLOTS * groups).fill(-1)
    this.#lengths = new Uint16Array(this.#places.length)
  }

  /** Adds the text for the hash at a place in `source`; false when it is not known. */
  add(source: Uint8Array, at: number, to: TextBytes): boolean {
    const first = this.#firstSlot(source, at)
    for (let slot = first; slot < first + SLOTS; slot++) {
      const place = this.#places[slot] ?? -1
      if (!this.#isThere(place)) continue
      const begin = place % this.#sizes.bytes
      if (!this.#isOf(begin, source, at)) continue
      const text = begin + HASH_BYTES
      to.copy(this.#bytes, text, text + (this.#lengths[slot] ?? 0))
      return true
    }
    return false
  }

  /** Caches the text for the hash at a place in `source`; false when it is too long. */
  keep(source: Uint8Array, at: number, text: Uint8Array): boolean {
    const { bytes } = this.#sizes
    const size = HASH_BYTES + text.length
    if (text.length > MOST_LENGTH || size > bytes) return false
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(bytes)
    const left = bytes - (this.#next % bytes)
    if (left < size) this.#next += left
    const begin = this.#next % bytes
    this.#bytes.set(source.subarray(at, at + HASH_BYTES), begin)
    this.#bytes.set(text, begin + HASH_BYTES)
    const slot = this.#oldestOf(this.#firstSlot(source, at))
    this.#places[slot] = this.#next
    this.#lengths[slot] = text.length
    this.#next += size
    return true
  }

  #firstSlot(source: Uint8Array, at: number): number {
    return SLOTS * ((((source[at] ?? 0) << 8) | (source[at + 1] ?? 0)) & (this.#sizes.groups - 1))
  }

  #oldestOf(first: number): number {
    let oldest = first
    for (let slot = first + 1; slot < first + SLOTS; slot++)
      if ((this.#places[slot] ?? -1) < (this.#places[oldest] ?? -1)) oldest = slot
    return oldest
  }

  /** Not overwritten. */
  #isThere(place: number): boolean {
    return place >= 0 && place >= this.#next - this.#sizes.bytes
  }

  #isOf(begin: number, source: Uint8Array, at: number): boolean {
    const bytes = this.#bytes
    for (let i = 0; i < HASH_BYTES; i++) if (bytes[begin + i] !== source[at + i]) return false
    return true
  }
}
