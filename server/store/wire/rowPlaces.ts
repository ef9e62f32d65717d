// Rows that are written as they were received: where each of their columns is, without a value of any.

import type { ByteSpan } from '../span.ts'
import { contradiction, int16At, int32At } from './binaryValues.ts'

const HIGH = 2 ** 32

/** One row after the other; columns by their numbers in the select, none of which is null where the caller does not check. */
export class RowPlaces {
  /** Begin and end of each; the same for null. */
  readonly #places: Int32Array
  readonly #count: number
  source: Uint8Array = new Uint8Array()

  constructor(count: number) {
    this.#count = count
    this.#places = new Int32Array(2 * count)
  }

  /** Goes on to another row, which is as it was described: the reader of rows has looked. */
  open({ source, at: start }: ByteSpan): void {
    if (int16At(source, start) !== this.#count) throw contradiction()
    const places = this.#places
    let at = start + 2
    for (let i = 0; i < 2 * this.#count; i += 2) {
      const size = int32At(source, at)
      at += 4
      places[i] = at
      if (size > 0) at += size
      places[i + 1] = at
    }
    this.source = source
  }

  at(column: number): number {
    return this.#places[2 * column] ?? 0
  }

  end(column: number): number {
    return this.#places[2 * column + 1] ?? 0
  }

  /** Of a column whose values are never empty. */
  isNull(column: number): boolean {
    return this.at(column) === this.end(column)
  }

  bool(column: number): boolean {
    return this.source[this.at(column)] !== 0
  }

  int2(column: number): number {
    return int16At(this.source, this.at(column))
  }

  int4(column: number): number {
    return int32At(this.source, this.at(column))
  }

  /** An int8 that is exact as a number; NaN for another one. */
  exact(column: number): number {
    const at = this.at(column)
    const value = int32At(this.source, at) * HIGH + (int32At(this.source, at + 4) >>> 0)
    return Number.isSafeInteger(value) ? value : Number.NaN
  }

  int8(column: number): bigint {
    const at = this.at(column)
    return (BigInt(int32At(this.source, at)) << 32n) | BigInt(int32At(this.source, at + 4) >>> 0)
  }
}
