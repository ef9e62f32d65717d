// The demo as a chain plays it when it begins: what takes a year first, then its parts one after the other, each step at a
// time of its own that is known beforehand. The chain begins as far back as the script is long, and the clock is the real one
// again when it is over.

import type { Story, StoryValidator } from '../devchain/index.ts'
import { actorOf, createCast, messageOf } from './cast.ts'
import { storyParts } from './parts/index.ts'
import { type Act, type Cast, type StoryPart, waitOf } from './script.ts'

/** What the genesis of a chain that plays this remembers. Another script, or other times in it, has another name. */
const DEMO = 'demo 6'

/** Seconds from its beginning to its end: a chain that is as old needs not be told what happens in between. */
export const DEMO_SECONDS = 31_636_661

export interface Scheduled {
  /** Unix seconds. */
  readonly utime: number
  readonly part: StoryPart
  readonly acts: readonly Act[]
}

/** From a time on, what happens when. */
export function storyFrom(start: number, cast: Cast, validators: readonly StoryValidator[]): Scheduled[] {
  const episodes: Scheduled[] = []
  let utime = start
  for (const part of storyParts) {
    // The first of them has founded the zone.
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
  episodes: ({ start, globalId, validators }) =>
    storyFrom(start, createCast(globalId), validators).map(({ utime, part, acts }) => ({
      utime,
      title: part.title,
      messages: (dataOf) => acts.map((act) => messageOf(act, { data: dataOf(actorOf(act)), utime })),
    })),
}
