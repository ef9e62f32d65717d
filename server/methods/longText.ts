// Long texts in pieces: to encode or measure one takes a millisecond per few hundred thousand characters.

import { SlicedWork, type Slicing } from '../fairness/index.ts'

/** Characters of a piece; shorter texts are not cut. */
export const LONG_TEXT = 256 * 1024

/** Never cut between the halves of a surrogate pair. */
function* piecesOf(text: string, most = LONG_TEXT): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = Math.min(text.length, from + most)
    const last = text.charCodeAt(end - 1)
    const cut = end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end
    yield text.slice(from, cut)
    from = cut
  }
}

/** What `make` makes of each piece of some texts, in order. */
export async function eachPiece<T>(
  texts: readonly string[],
  make: (piece: string) => T,
  { most, ...slicing }: Slicing & { readonly most?: number } = {},
): Promise<T[]> {
  const slices = new SlicedWork(slicing)
  // The first look at a text that was joined of others copies all of it, which has a slice of its own.
  await slices.ownTurn()
  const made: T[] = []
  for (const text of texts)
    for (const piece of piecesOf(text, most)) {
      if (slices.isDue) await slices.rest()
      made.push(make(piece))
    }
  return made
}

/** Bytes of a text in UTF-8. */
export async function bytesOfLong(text: string, slicing: Slicing): Promise<number> {
  return (await eachPiece([text], (piece) => Buffer.byteLength(piece), slicing)).reduce((sum, bytes) => sum + bytes, 0)
}
