// Numbers and bytes that look random and are the same for the same seed.

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 32 bits, by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** From 0 up to 1. */
  unit(): number {
    return this.next() / 2 ** 32
  }

  /** From 0 up to `end`. */
  below(end: number): number {
    return Math.floor(this.unit() * end)
  }

  /** The lower the likelier: half of all picks are among the first tenth. */
  skewedBelow(end: number): number {
    return Math.floor(this.unit() ** 3.3 * end)
  }

  chance(share: number): boolean {
    return this.unit() < share
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0]
  }

  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count)
    for (let i = 0; i < count; i += 4) {
      const word = this.next()
      for (let j = i; j < Math.min(i + 4, count); j++) bytes[j] = (word >>> (8 * (j - i))) & 0xff
    }
    return bytes
  }

  hash(): Uint8Array {
    return this.bytes(32)
  }
}
