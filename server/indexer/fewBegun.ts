/** More than the calls to a node that run at once. */
const MOST_BEGUN = 64

/**
 * What `work` makes of each item, in order, as `Promise.all` has it; but few are begun at once. A rewind of a real network may have a
 * million accounts, and each that only waits takes a kilobyte.
 */
export async function fewBegun<T, R>(items: readonly T[], work: (item: T, i: number) => Promise<R>): Promise<R[]> {
  const made = new Array<R>(items.length)
  const left = items.entries()
  let hasFailed = false
  const worker = async (): Promise<void> => {
    try {
      for (const [i, item] of left) {
        if (hasFailed) return
        made[i] = await work(item, i)
      }
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  await Promise.all(Array.from({ length: Math.min(MOST_BEGUN, items.length) }, worker))
  return made
}
