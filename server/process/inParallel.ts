/**
 * What `work` makes of each item, in their order, at most so many at once: of a million that only wait each would take a kilobyte.
 * Rejects with the first failure, after which none is begun.
 */
export async function inParallel<T, R>(
  items: Iterable<T>,
  most: number,
  work: (item: T, i: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = items[Symbol.iterator]()
  let begun = 0
  let hasFailed = false
  const lane = async (): Promise<void> => {
    try {
      for (let next = waiting.next(); next.done !== true && !hasFailed; next = waiting.next()) {
        const i = begun++
        results[i] = await work(next.value, i)
      }
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  await Promise.all(Array.from({ length: most }, lane))
  return results
}
