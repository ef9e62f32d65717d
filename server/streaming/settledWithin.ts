// Waits for work, but no longer than it may hold up what comes after it.

export async function settledWithin(all: Iterable<Promise<unknown>>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([Promise.allSettled([...all]), late])
  clearTimeout(timer)
}
