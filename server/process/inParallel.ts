/** What `work` makes of each, at most so many at once; rejects with the first failure. */
export async function inParallel<T, R>(items: Iterable<T>, most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const waiting = items[Symbol.iterator]()
  let begun = 0
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const i = begun++
      results[i] = await work(next.value)
    }
  }
  await Promise.all(Array.from({ length: most }, lane))
  return results
}
