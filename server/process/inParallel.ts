/** What `work` makes of each, at most so many at once; rejects with the first failure. */
export async function inParallel<T, R>(items: readonly T[], most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const lane = async (): Promise<void> => {
    for (const [i, item] of waiting) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: most }, lane))
  return results
}
