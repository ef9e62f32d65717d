// The demo as a chain plays it when it begins: what takes a year first, then its parts one after the other, each step at a
// time of its own that is known beforehand. The chain begins as far back as the script is long, and the clock is the real one
// again when it is over.

import { demoParts, lapse } from './parts/index.ts'
import { type Act, type Cast, type Part, waitOf } from './script.ts'

/** What the genesis of a chain that plays this remembers. Another script, or other times in it, has another name. */
export const DEMO = 'demo 4'

/** Seconds from its beginning to its end: a chain that is as old needs not be told what happens in between. */
export const DEMO_SECONDS = 31_635_100

export interface Episode {
  /** Unix seconds. */
  readonly utime: number
  readonly part: Part
  readonly acts: readonly Act[]
}

/** From a time on, what happens when. */
export function storyFrom(start: number, cast: Cast): Episode[] {
  const episodes: Episode[] = []
  let utime = start
  for (const part of [lapse, ...demoParts]) {
    const steps = part.steps({ cast, round: 0, start: utime, hasZone: part !== lapse })
    for (const step of steps) {
      utime += waitOf(step)
      episodes.push({ utime, part, acts: step.acts })
    }
  }
  return episodes
}
