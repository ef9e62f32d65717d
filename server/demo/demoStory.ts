// The demo of a new chain: first the part that takes a year, then the others one by one, each step at a fixed time. The
// chain's first block is as far in the past as the script is long, so the clock is the real one at the end.

import type { Story, StoryValidator } from '../devchain/index.ts'
import { actorOf, createCast, messageOf } from './cast.ts'
import { storyParts } from './parts/index.ts'
import { type Act, type Cast, type StoryPart, waitOf } from './script.ts'

/** Stored in the genesis of a chain that plays this. A different script, or different times, needs a different name. */
const DEMO = 'demo 8'

/** Versions that chains of released services were begun with. */
const FORMER = [
  { name: 'demo 5', seconds: 31_635_580 },
  { name: 'demo 6', seconds: 31_636_661 },
  { name: 'demo 7', seconds: 31_636_661 },
]

/** Seconds from the first step to the last. */
export const DEMO_SECONDS = 31_636_661

export interface Scheduled {
  /** Unix seconds. */
  readonly utime: number
  readonly part: StoryPart
  readonly acts: readonly Act[]
}

/** The steps with their times, from a start time on. */
export function storyFrom(start: number, cast: Cast, validators: readonly StoryValidator[]): Scheduled[] {
  const episodes: Scheduled[] = []
  let utime = start
  for (const part of storyParts) {
    // The first part has created the zone.
    const scene = { cast, round: 0, start: utime, hasZone: utime > start }
    const steps = part.steps(scene, validators)
    for (const step of steps) {
      utime += waitOf(step)
      episodes.push({ utime, part, acts: step.acts })
    }
  }
  return episodes
}

/** The demo as the embedded chain plays it. */
export const demoStory: Story = {
  name: DEMO,
  title: 'demo',
  seconds: DEMO_SECONDS,
  former: FORMER,
  episodes: ({ start, globalId, validators }) =>
    storyFrom(start, createCast(globalId), validators).map(({ utime, part, acts }) => ({
      utime,
      title: part.title,
      *messages(dataOf) {
        for (const act of acts) yield messageOf(act, { data: dataOf(actorOf(act)), utime })
      },
    })),
}
