// Small parts of a body, copied together into one piece of memory: each would otherwise be a buffer of 370 bytes.

/** Smaller parts are copied, in bytes. */
export const SMALL_PART = 1024
const PIECE_BYTES = 8192

export class SmallParts {
  #piece: Buffer | null = null
  #used = 0

  get isEmpty(): boolean {
    return this.#piece === null
  }

  fits(part: Buffer): boolean {
    return this.#used + part.length <= PIECE_BYTES
  }

  /** The part has to fit. */
  add(part: Buffer): void {
    this.#piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES)
    part.copy(this.#piece, this.#used)
    this.#used += part.length
  }

  /** Empties it; null when it is empty. */
  take(): Buffer | null {
    const piece = this.#piece?.subarray(0, this.#used) ?? null
    this.#piece = null
    this.#used = 0
    return piece
  }
}
