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

const [GAP, ZERO] = [32, 48]

/** How many of these a text that was read has. */
export function numbersInText({ digits: { source, at, end } }: Pick<StoredText, 'digits'>): number {
  let count = 1 + NEAR.length
  for (let i = at; i < end; i++) if (source[i] === GAP) count++
  return count
}

/** Adds one of them, of so many, to a text. */
export function addNumberOfText(
  { digits: { source, at, end } }: Pick<StoredText, 'digits'>,
  [number, count]: readonly [number, number],
  to: UnpackedText,
): void {
  const near = NEAR[number - count + NEAR.length]
  let from = at
  for (let skipped = near === undefined ? number : 0; skipped > 0; from++) if (source[from] === GAP) skipped--
  let last = from
  while (last < end && source[last] !== GAP) last++
  if (near === undefined) to.copy(source, from, last)
  else if (last - from > EXACT_DIGITS)
    to.string(String(BigInt(Buffer.from(source.slice(from, last)).toString()) + BigInt(near)))
  else {
    let lt = 0
    for (let i = from; i < last; i++) lt = 10 * lt + (source[i] ?? ZERO) - ZERO
    to.digits(lt + near)
  }
}
