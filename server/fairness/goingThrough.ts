/** Rows that are gone through in one piece: a fraction of a millisecond. */
const AT_ONCE = 200

/** Does something small for each row, of which a block may have ten thousand, in pieces. */
export function* goingThrough<T>(rows: Iterable<T>, work: (row: T) => void): Generator<void> {
  let count = 0
  for (const row of rows) {
    work(row)
    if (++count % AT_ONCE === 0) yield
  }
}
