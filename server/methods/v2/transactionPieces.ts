// What lists of transactions have in common: where they begin, and how long ones are written in slices.

import { ApiError } from '../../../shared/errors.ts'
import { inPieces, inSlices, SlicedWork } from '../../fairness/index.ts'
import type { Call } from '../call.ts'
import type { HistoryPoint } from '../historyPages.ts'
import { type FinishedText, Written, write, writeList } from '../written.ts'

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

export const piecesOf = ({ signal, caller }: Call): Pieces => ({
  signal,
  slices: new SlicedWork({ subject: caller.subject }),
})

/** The texts of items, each written at once or in pieces. */
export async function writtenInPieces<T, R>(
  items: readonly T[],
  of: {
    readonly isLong: (item: T) => boolean
    readonly writing: (item: T) => Generator<void, FinishedText>
    readonly write: (item: T) => Written<R>
  },
  { slices }: Pieces,
): Promise<Written<R[]>> {
  const texts: Written<R>[] = []
  for (const item of items) {
    if (slices.isDue) await slices.rest()
    texts.push(of.isLong(item) ? new Written<R>(await inPieces(of.writing(item), slices)) : of.write(item))
  }
  return await writeList(texts, slices)
}

/** The text of what a view shows of each item, written in slices. */
export async function writeEach<T, R>(
  items: readonly T[],
  view: (item: T) => R,
  { slices }: Pieces,
): Promise<Written<R[]>> {
  return await writeList(await inSlices(items, (item) => write(view(item)), slices), slices)
}
