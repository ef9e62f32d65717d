// What others wait for goes before what only makes more of it: while a block is indexed or reported to streams, the next one is
// made in what time is left. All work in the process counts together.

let count = 0
const waiting = new Set<() => void>()

/** Does work that presses until it settles. */
export async function pressing<T>(work: () => Promise<T>): Promise<T> {
  count++
  try {
    return await work()
  } finally {
    count--
    if (count === 0) for (const go of [...waiting]) go()
  }
}

/** Resolves as soon as nothing presses, but after so many milliseconds at most. */
export async function whenNothingPresses(mostMs: number): Promise<void> {
  if (count === 0) return
  await new Promise<void>((resolve) => {
    const go = (): void => {
      clearTimeout(timer)
      waiting.delete(go)
      resolve()
    }
    const timer = setTimeout(go, mostMs)
    waiting.add(go)
  })
}
