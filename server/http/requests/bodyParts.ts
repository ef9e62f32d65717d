// The bytes of a body while they arrive. Small parts are copied together: a megabyte in chunks of one byte would otherwise be a
// million buffers of 370 bytes each.

import { SMALL_PART, SmallParts } from './smallParts.ts'

export class BodyParts {
  /** Most bodies have one part only, which is not copied. */
  #first: Buffer | null = null
  #pieces: Buffer[] = []
  readonly #small = new SmallParts()

  /** In order. Nothing may be added afterwards. */
  get all(): readonly Buffer[] {
    this.#endPiece()
    const first = this.#first
    if (first !== null) this.#pieces.push(first)
    this.#first = null
    return this.#pieces
  }

  add(part: Buffer): void {
    const first = this.#first
    if (first === null && this.#small.isEmpty && this.#pieces.length === 0) {
      this.#first = part
      return
    }
    this.#first = null
    if (first !== null) this.#keep(first)
    this.#keep(part)
  }

  #keep(part: Buffer): void {
    const isSmall = part.length < SMALL_PART
    if (!isSmall || !this.#small.fits(part)) this.#endPiece()
    if (isSmall) this.#small.add(part)
    else this.#pieces.push(part)
  }

  #endPiece(): void {
    const piece = this.#small.take()
    if (piece !== null) this.#pieces.push(piece)
  }
}
