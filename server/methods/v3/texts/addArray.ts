import type { UnpackedText } from '../../../store/index.ts'

/** Adds a JSON array of items, each with all that `add` yields. Yields as `textInSlices` requires. */
export function* addArray<T>(
  items: readonly T[],
  to: UnpackedText,
  add: (item: T) => Iterable<boolean>,
): Generator<boolean> {
  to.ascii('[')
  for (const [i, item] of items.entries()) {
    if (i > 0) to.ascii(',')
    yield* add(item)
    yield true
  }
  to.ascii(']')
}
