// Text of a long list, written as bytes in slices.

import { SlicedWork, type Slicing } from '../../../fairness/index.ts'
import { UnpackedText } from '../../../store/index.ts'

/** Of one slice of a list. */
const page = new UnpackedText()

/** A piece is no longer than this and what is added at once. */
const LONG_PIECE = 512 * 1024

/** Bytes that a list adds between two rests: to yield after each row takes as long as to write a short one. */
export const BETWEEN_RESTS = 4 * 1024

/** Bytes between two looks at the clock: less than a tenth of a millisecond, which a hundred looks take. */
const UNWATCHED = 16 * 1024

/** Bytes before the first look, a fifth of a millisecond: pages of ten rows that rested held their lanes for three turns of a busy process. */
const SHORT_TEXT = 64 * 1024

/**
 * What `write` adds, which yields where it may rest: other texts are written to the same place then. True says that it took long. It calls
 * a generator and is none: V8 gives each generator that is made within a function a shape in the old heap, which keeps all that the
 * generator sees until the whole heap is searched, however soon it has ended.
 */
export async function textInSlices(
  write: (to: UnpackedText) => Iterable<boolean>,
  slicing: Slicing | undefined,
): Promise<readonly Buffer[]> {
  const slices = new SlicedWork(slicing)
  const pieces: Buffer[] = []
  page.begin()
  let watched = page.at + SHORT_TEXT - UNWATCHED
  for (const isLong of write(page)) {
    if (!isLong && page.at - watched < UNWATCHED) continue
    watched = page.at
    const { isDue } = slices
    if (!isDue && page.at < LONG_PIECE) continue
    pieces.push(page.takeBytes())
    if (isDue) await slices.rest()
    page.begin()
    watched = page.at
  }
  pieces.push(page.takeBytes())
  return pieces
}
