// Texts of the blocks that pages have shown last. A block never changes, and its text only with the masterchain block that committed it,
// which is a part of its name: a page of such blocks is put together from their names alone.

import { CLOSE_LIST, COMMA, OPEN_LIST } from '../../view/jsonCodes.ts'

/** Bytes for each text; nearly all have fewer than a thousand. */
const PLACE = 1280
/** 2.5 MB of texts. */
const PLACES = 2048
/** A shorter page is read as quickly as its names. */
const LEAST_ROWS = 32
/**
 * After a page with a block that is not kept, so many are read without a look at their names, which would be one read more, and not kept.
 * After each further one twice as many, up to the most: pages that never come again take what they took without kept texts.
 */
const PAUSE = 8
const MOST_PAUSE = 128

export class KeptBlocks {
  /** Made for the first text. */
  #bytes = Buffer.alloc(0)
  readonly #sizes = new Uint16Array(PLACES)
  readonly #names: string[] = []
  readonly #places = new Map<string, number>()
  /** Of the next text: places are taken in turn. */
  #next = 0
  /** Pages until the next look, and behind the next miss. */
  #pause = 0
  #nextPause = PAUSE

  /** Whether the names of a page are looked at, and its texts kept where one was not. Called once for each page. */
  isPromising(rows: number): boolean {
    if (rows < LEAST_ROWS) return false
    if (this.#pause === 0) return true
    this.#pause--
    return false
  }

  keep(name: string, text: Uint8Array): void {
    if (text.length > PLACE || this.#places.has(name)) return
    if (this.#bytes.length === 0) this.#bytes = Buffer.allocUnsafeSlow(PLACES * PLACE)
    const place = this.#next
    this.#next = (place + 1) % PLACES
    const before = this.#names[place]
    if (before !== undefined) this.#places.delete(before)
    this.#bytes.set(text, place * PLACE)
    this.#sizes[place] = text.length
    this.#names[place] = name
    this.#places.set(name, place)
  }

  /** The list of these blocks as JSON; null when one of them is not kept. */
  list(names: readonly string[]): Buffer | null {
    const places: number[] = []
    let size = 2 + Math.max(0, names.length - 1)
    for (const name of names) {
      const place = this.#places.get(name)
      if (place === undefined) {
        this.#pause = this.#nextPause
        this.#nextPause = Math.min(2 * this.#nextPause, MOST_PAUSE)
        return null
      }
      places.push(place)
      size += this.#sizes[place] ?? 0
    }
    this.#nextPause = PAUSE
    const text = Buffer.allocUnsafe(size)
    let at = 0
    text[at++] = OPEN_LIST
    for (const place of places) {
      if (at > 1) text[at++] = COMMA
      const from = place * PLACE
      at += this.#bytes.copy(text, at, from, from + (this.#sizes[place] ?? 0))
    }
    text[at] = CLOSE_LIST
    return text
  }
}
