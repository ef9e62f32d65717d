// Parts that are closed at the same time, each of them to its end, also when another one fails.

/** Rejects with the first error in the order of the parts, once all have ended. */
export async function closeTogether(...parts: readonly (() => unknown)[]): Promise<void> {
  const ends = await Promise.allSettled(parts.map(async (close) => await close()))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
