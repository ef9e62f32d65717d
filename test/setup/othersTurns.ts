// How many turns of the event loop others had while something was read: a piece of work that does not yield leaves none.

/** `anew` begins the count again: turns that the read spent waiting for an answer are not turns of its own work. */
export async function turnsOf<T>(
  read: (anew: () => void) => Promise<T>,
): Promise<{ readonly found: T; readonly turns: number }> {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  try {
    const found = await read(() => {
      turns = 0
    })
    return { found, turns }
  } finally {
    clearImmediate(next)
  }
}
