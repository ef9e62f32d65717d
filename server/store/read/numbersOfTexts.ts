// Numbers that the text of a transaction leaves out.

import type { UnpackedText } from '../packed/unpackedText.ts'
import type { TransactionRow } from '../tables/chain.ts'
import type { StoredText } from './texts.ts'

/** Numbers that a text leaves out: those the database adds to it, in its order, and logical times near that of the transaction. */
export const numbersOfRow = ({ lt, prevLt, now, mcSeqno, block, totalFees }: TransactionRow): string[] =>
  withTimesNear([lt, prevLt, now, mcSeqno, block.seqno, totalFees].map(String))

/** The message it received has a lower one, and those it sent the next ones. */
const NEAR = [-1, 1, 2, 3, 4]
/** Of a number that is exact. */
const EXACT_DIGITS = 15

/** The same list with them. */
function withTimesNear(numbers: string[]): string[] {
  const [lt = ''] = numbers
  const near = lt.length > EXACT_DIGITS ? (by: number) => BigInt(lt) + BigInt(by) : (by: number) => Number(lt) + by
  for (const distance of NEAR) numbers.push(String(near(distance)))
  return numbers
}

const GAP = 32
const ZERO = 48

/** The database adds six. */
const MOST_NUMBERS = 16

function numberIn(source: Uint8Array, from: number, end: number): number {
  let number = 0
  for (let i = from; i < end; i++) number = 10 * number + (source[i] ?? ZERO) - ZERO
  return number
}

/** These numbers of the text that is written: of one at a time. */
export class NumbersInText {
  #source: Uint8Array = new Uint8Array()
  /** Where each begins, and behind the last one. A gap is between each two. */
  readonly #places = new Uint32Array(MOST_NUMBERS + 1)
  #added = 0
  /** The logical time; below zero before it was needed. */
  #lt = -1

  open({ digits: { source, at, end } }: Pick<StoredText, 'digits'>): void {
    this.#source = source
    this.#places[0] = at
    let count = 1
    for (let i = at; i < end && count < MOST_NUMBERS; i++) if (source[i] === GAP) this.#places[count++] = i + 1
    this.#places[count] = end + 1
    this.#added = count
    this.#lt = -1
  }

  get count(): number {
    return this.#added + NEAR.length
  }

  /** Adds one of them to a text. */
  add(number: number, to: UnpackedText): void {
    const near = NEAR[number - this.#added]
    const place = near === undefined ? number : 0
    const source = this.#source
    const from = this.#places[place] ?? 0
    const last = (this.#places[place + 1] ?? 1) - 1
    if (near === undefined) to.copy(source, from, last)
    else if (last - from > EXACT_DIGITS)
      to.string(String(BigInt(Buffer.from(source.slice(from, last)).toString()) + BigInt(near)))
    else {
      if (this.#lt < 0) this.#lt = numberIn(source, from, last)
      to.digits(this.#lt + near)
    }
  }
}
