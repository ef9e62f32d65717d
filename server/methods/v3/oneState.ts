// Answers that take several statements. What an index keeps may end, or the chain be reverted, between two of them: then all is read
// again.

/** Of one answer; then it has what is left of it. */
const MOST_TRIES = 3

/** What is read, once it is of one state of the index. */
export async function ofOneState<T>(read: () => Promise<T>, isOfOneState: (found: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    const found = await read()
    if (isOfOneState(found) || tries === MOST_TRIES) return found
  }
}
