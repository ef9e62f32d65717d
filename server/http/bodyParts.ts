// The bytes of a body while they arrive. Small parts are copied together: a megabyte in chunks of one byte would otherwise be a
// million buffers of 370 bytes each.

/** Smaller parts are copied, in bytes. */
const SMALL = 1024
const STAGE_BYTES = 8192

export class BodyParts {
  /** Most bodies have one part only, which is not copied. */
  #first: Buffer | null = null
  #pieces: Buffer[] = []
  /** Where small parts are copied to. */
  #stage: Buffer | null = null
  #staged = 0

  /** In order. Nothing may be added afterwards. */
  get all(): readonly Buffer[] {
    this.#endStage()
    const first = this.#first
    if (first !== null) this.#pieces.push(first)
    this.#first = null
    return this.#pieces
  }

  add(part: Buffer): void {
    const first = this.#first
    if (first === null && this.#stage === null && this.#pieces.length === 0) {
      this.#first = part
      return
    }
    this.#first = null
    if (first !== null) this.#keep(first)
    this.#keep(part)
  }

  #keep(part: Buffer): void {
    if (part.length >= SMALL) {
      this.#endStage()
      this.#pieces.push(part)
      return
    }
    if (this.#staged + part.length > STAGE_BYTES) this.#endStage()
    this.#stage ??= Buffer.allocUnsafeSlow(STAGE_BYTES)
    part.copy(this.#stage, this.#staged)
    this.#staged += part.length
  }

  #endStage(): void {
    if (this.#stage !== null) this.#pieces.push(this.#stage.subarray(0, this.#staged))
    this.#stage = null
    this.#staged = 0
  }
}
