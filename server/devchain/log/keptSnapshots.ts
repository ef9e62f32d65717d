// Which snapshots stay: the newest for a start, and older ones, so that no state of a long chain is replayed from its beginning.

export interface PlacedSnapshot {
  /** Where it stands in the log as a whole. */
  readonly at: number
  readonly bytes: number
}

/** A start needs one, and another where that is damaged. */
const NEWEST = 2
/** The older ones together take no more than this part of the log. */
const PART_OF_LOG = 1 / 4

/** Those to be removed, given all of them, oldest first: those go whose neighbours are nearest to each other, until the rest has room. */
export function surplusSnapshots<T extends PlacedSnapshot>(
  all: readonly T[],
  most = (all.at(-1)?.at ?? 0) * PART_OF_LOG,
): readonly T[] {
  const newest = all.slice(-NEWEST)
  const older = all.slice(0, -NEWEST)
  const surplus: T[] = []
  let bytes = older.reduce((sum, one) => sum + one.bytes, 0)
  while (bytes > most) {
    const gaps = older.map((one, i) => (older[i + 1] ?? newest[0] ?? one).at - (older[i - 1]?.at ?? 0))
    const [gone] = older.splice(gaps.indexOf(Math.min(...gaps)), 1)
    if (gone === undefined) break
    surplus.push(gone)
    bytes -= gone.bytes
  }
  return surplus
}
