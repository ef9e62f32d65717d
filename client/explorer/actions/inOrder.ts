import type { Action } from '../../index.ts'

const isBefore = (a: Action, b: Action): boolean =>
  a.start_lt === b.start_lt ? BigInt(a.end_lt) > BigInt(b.end_lt) : BigInt(a.start_lt) < BigInt(b.start_lt)

/** As they happened; of those that began together, the one that holds the others first. */
export const inOrder = (actions: readonly Action[]): readonly Action[] =>
  [...actions].sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0))
