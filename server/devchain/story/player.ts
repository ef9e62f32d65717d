// Plays a story into a chain that was created for it. The chain's time is the progress: every step has its own time and is
// in one block, completely or not at all. So after any end of the process the next one continues, and no step is played
// twice. Nothing else may change the chain before the end.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { SlicedWork } from '../../fairness/index.ts'
import { failureText } from '../../process/index.ts'
import { createSigner } from '../accounts/index.ts'
import { type ChangeQueue, type GrowingChain, workFor } from '../chain/index.ts'
import { type External, masterValidators } from '../collate/index.ts'
import { readExternal, refused } from '../mempool/index.ts'
import type { Miner } from '../mining/index.ts'
import { BASECHAIN, dataAt, MASTERCHAIN, readMasterState, readState } from '../state/index.ts'
import { RoomOnDisk } from './roomOnDisk.ts'
import type { Episode, Story, StoryValidator } from './story.ts'

export interface PlayerParts {
  readonly chain: GrowingChain
  readonly miner: Miner
  readonly turns: ChangeQueue
  /** What the chain was begun to play, by its name. */
  readonly begun: string | null
  /** What it may be. */
  readonly stories: readonly Story[]
  readonly warn: (line: string, facts: Readonly<Record<string, unknown>>) => void
}

export interface StoryProgress {
  readonly done: number
  readonly steps: number
  /** What is being played. */
  readonly title: string
}

export interface Player {
  /** Whether steps are left to play. */
  readonly isWaiting: boolean
  /** Resolves when others may change the chain; rejects with MessageRefused when it is stopped before. */
  readonly over: Promise<void>
  /** `over` for a call that changes the chain; rejects with LogFull while the disk has no room for the next step. */
  ready(): Promise<void>
  /** Plays the rest. Resolves with whether it reached the end; otherwise a warning says why. */
  play(onProgress?: (progress: StoryProgress) => void): Promise<boolean>
  /** Stops after the current step; the next process continues. */
  stop(): Promise<void>
}

const headTime = ({ moment }: GrowingChain): number => Math.max(moment.master.utime, moment.shard.utime)

/** The first validators of the chain, with the keys they stake with. */
export function firstValidators({ parts }: GrowingChain): StoryValidator[] {
  const { root, id } = parts.zerostates.master
  const first = masterValidators(readMasterState(root, id).extra.config, 0)
  return parts.tools.keys
    .among(first)
    .map(({ publicKey, adnlAddress, seed }) => ({ publicKey, adnlAddress, sign: createSigner(seed) }))
}

const NOTHING_LEFT = { title: '', left: [] }

function episodesLeft({ chain, begun, stories, warn }: PlayerParts): {
  readonly title: string
  readonly left: readonly Episode[]
} {
  if (begun === null) return NOTHING_LEFT
  const story = stories.find(({ name }) => name === begun)
  const { root, id } = chain.parts.zerostates.base
  const { utime: start } = readState(root, id)
  const isOver = ({ seconds }: Pick<Story, 'seconds'>) => headTime(chain) >= start + seconds
  if (story === undefined) {
    const former = stories.flatMap(({ former = [] }) => former).find(({ name }) => name === begun)
    if (former !== undefined && isOver(former)) return NOTHING_LEFT
    warn('The chain was begun to play a script of another version: what is left of it is not played', { story: begun })
    return NOTHING_LEFT
  }
  if (isOver(story)) return NOTHING_LEFT
  const { globalId } = chain.moment.master
  const all = story.episodes({ start, globalId, validators: firstValidators(chain) })
  return { title: story.title, left: all.filter(({ utime }) => utime > headTime(chain)) }
}

/** All messages of an episode are in one block, or there is no such block. */
async function happen(chain: GrowingChain, { utime, messages }: Episode): Promise<void> {
  chain.parts.clock.hold(utime)
  const externals: External[] = []
  const slices = new SlicedWork()
  for (const boc of messages((account) => dataAt(chain.moment, account))) {
    externals.push(readExternal(boc).external)
    if (slices.isDue) await slices.rest()
  }
  await slices.ownTurn()
  const all = { externals, patches: [], injected: [] }
  const parts = { shard: workFor(all, BASECHAIN), master: workFor(all, MASTERCHAIN) }
  const outcomes = await chain.advance({ ...parts, isWhole: true })
  const refused = all.externals.findIndex((external) => outcomes.get(external)?.kind !== 'included')
  if (refused >= 0) throw new Error(`Act ${refused} of the step at ${utime} was refused`)
}

/** A player for this chain, whose clock is stopped until the end of the story. */
export function createPlayer(parts: PlayerParts): Player {
  const { chain, miner, turns, warn } = parts
  const { clock } = chain.parts
  const { title, left } = episodesLeft(parts)
  const closing = `the chain is closing before its ${title} was over`
  let end: () => void = () => undefined
  let giveUp: (why: Error) => void = () => undefined
  const over = new Promise<void>((resolve, reject) => {
    end = resolve
    giveUp = reject
  })
  over.catch(() => undefined)
  if (left.length === 0) end()
  else clock.hold(headTime(chain))
  let playing: Promise<boolean> | null = left.length === 0 ? Promise.resolve(true) : null
  const stopping = new AbortController()
  const room = new RoomOnDisk(stopping.signal, (error) => warn(`The ${title} waits for room on the disk`, { error }))

  async function playAll(onProgress: (progress: StoryProgress) => void): Promise<boolean> {
    // What the last process left pending.
    const isStopped = () => stopping.signal.aborted
    await room.forStep(() => miner.settle(isStopped))
    for (const [done, episode] of left.entries()) {
      if (isStopped()) return false
      onProgress({ done, steps: left.length, title: episode.title })
      await room.forStep(() => turns.take(() => happen(chain, episode)))
      await room.forStep(() => miner.settle(isStopped))
      await nextTurn()
    }
    onProgress({ done: left.length, steps: left.length, title: 'done' })
    return true
  }

  async function playOnce(onProgress: (progress: StoryProgress) => void): Promise<boolean> {
    try {
      return await playAll(onProgress)
    } catch (error) {
      const why = failureText(error)
      warn(`The ${title} could not be played to its end`, { error: why })
      return false
    } finally {
      // The next process continues the story: until then neither the clock nor waiting calls may change the chain.
      if (!stopping.signal.aborted) clock.release()
      else giveUp(refused('dropped', closing))
      end()
    }
  }

  return {
    isWaiting: left.length > 0,
    over,
    ready: () => (room.full === null ? over : Promise.reject(room.full)),
    play(onProgress = () => undefined) {
      playing ??= playOnce(onProgress)
      return playing
    },
    async stop() {
      stopping.abort()
      await playing
      if (left.length > 0) giveUp(refused('dropped', closing))
    },
  }
}
