// What lists of transactions have in common: where they begin, and how long ones are written in slices.

import { ApiError } from '../../../shared/errors.ts'
import { inPieces, SlicedWork } from '../../fairness/index.ts'
import type { Call } from '../call.ts'
import type { HistoryPoint } from '../historyPages.ts'
import { type FinishedText, sizeOfText, Written } from '../written.ts'

/** How an item is written. */
export interface TextsOf<T, R> {
  readonly isLong: (item: T) => boolean
  readonly writing: (item: T) => Generator<void, FinishedText>
  readonly write: (item: T) => Written<R>
}

/** Half of a pair of parameters is an error. */
export function pairOf(a: bigint | undefined, b: Uint8Array | undefined, names: string): HistoryPoint | null {
  if ((a === undefined) !== (b === undefined))
    throw new ApiError('invalidParams', `${names} should be used together`, { param: names.split(' ')[0] ?? '' })
  return a === undefined || b === undefined ? null : { lt: a, hash: b }
}

/** A running call whose work is cut into slices. */
export interface Pieces {
  readonly signal: AbortSignal
  readonly slices: SlicedWork
}

export const piecesOf = ({ signal }: Call): Pieces => ({ signal, slices: new SlicedWork({ signal }) })

/** Bytes of text in one answer. Some thousand transactions of the usual size have a few megabytes. */
const MOST_BYTES = 128 << 20

/** Counts the bytes of one answer: a transaction has up to 256 messages of a quarter of a megabyte. */
export class AnswerRoom {
  readonly #param: string
  #left = MOST_BYTES

  /** `param` is what a caller lowers for a smaller answer. */
  constructor(param: string) {
    this.#param = param
  }

  /** Throws ApiError `replyTooLarge` when there is no room for one more. */
  take({ text }: Written<unknown>): void {
    const size = typeof text === 'string' ? text.length : sizeOfText(text)
    this.#left -= size
    if (this.#left >= 0) return
    const said = `these transactions have over ${MOST_BYTES >> 20} MB, the most in one answer`
    throw new ApiError('replyTooLarge', said, { param: this.#param, limit: MOST_BYTES })
  }
}

/** The texts of items, each written at once or in pieces, while there is room for them. */
export async function textsInPieces<T, R>(
  items: readonly T[],
  of: TextsOf<T, R>,
  { slices }: Pieces,
  room: AnswerRoom,
): Promise<Written<R>[]> {
  const texts: Written<R>[] = []
  for (const item of items) {
    if (slices.isDue) await slices.rest()
    const text = of.isLong(item) ? new Written<R>(await inPieces(of.writing(item), slices)) : of.write(item)
    room.take(text)
    texts.push(text)
  }
  return texts
}
