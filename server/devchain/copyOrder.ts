// A copy of a chain's folder that is made while blocks are written.

const SEGMENT = /^chain-\d+\.log$/

const rankOf = (name: string): number => {
  // What refers to bytes of another file goes before that file, which by then has them.
  if (SEGMENT.test(name)) return 2
  return name === 'transactions.data' ? 1 : 0
}

/**
 * The names of a chain's files in the order in which they are to be copied. A copy in this order opens like the folder of a
 * killed process. Segments from the last: all before it are finished.
 */
export function chainCopyOrder(names: readonly string[]): readonly string[] {
  return [...names].sort((a, b) => {
    const rank = rankOf(a)
    const other = rankOf(b)
    if (rank !== other) return rank - other
    return rank === 2 ? b.localeCompare(a) : a.localeCompare(b)
  })
}
