// Parts that are closed one after the other, each of them, also when one before it fails.

/** Rejects with the first error, once all are closed. */
export async function closeInTurn(...parts: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (const close of parts) {
    try {
      await close()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
