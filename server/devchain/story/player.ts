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
import type { Warn } from '../warn.ts'
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
  readonly warn: Warn
}

export interface StoryProgress {
  readonly done: number
  readonly steps: number
  /** What is being played. */
  readonly title: string
}

type OnProgress = (progress: StoryProgress) => void

export interface Player {
  /** Whether steps are left to play. */
  readonly isWaiting: boolean
  /** Resolves when others may change the chain; rejects with MessageRefused when it is stopped before. */
  readonly over: Promise<void>
  /** `over` for a call that changes the chain; rejects with LogFull while the disk has no room for the next step. */
  ready(): Promise<void>
  /** Plays the rest. Resolves with whether it reached the end; otherwise a warning says why. */
  play(onProgress?: OnProgress): Promise<boolean>
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

class StoryPlayer implements Player {
  readonly isWaiting: boolean
  readonly over: Promise<void>
  readonly #parts: PlayerParts
  readonly #title: string
  readonly #left: readonly Episode[]
  readonly #stopping = new AbortController()
  readonly #room: RoomOnDisk
  #playing: Promise<boolean> | null = null
  #end: () => void = () => undefined
  #giveUp: () => void = () => undefined

  constructor(parts: PlayerParts) {
    const { title, left } = episodesLeft(parts)
    this.#parts = parts
    this.#title = title
    this.#left = left
    this.isWaiting = left.length > 0
    const onFull = (error: string) => parts.warn(`The ${title} waits for room on the disk`, { error })
    this.#room = new RoomOnDisk(this.#stopping.signal, onFull)
    this.over = new Promise<void>((resolve, reject) => {
      this.#end = resolve
      this.#giveUp = () => reject(refused('dropped', `the chain is closing before its ${title} was over`))
    })
    this.over.catch(() => undefined)
    if (this.isWaiting) {
      parts.chain.parts.clock.hold(headTime(parts.chain))
      // What a loss of power undoes is played again: a slow disk would be waited for at every step.
      parts.chain.deferDisk()
    } else {
      this.#end()
      this.#playing = Promise.resolve(true)
    }
  }

  ready(): Promise<void> {
    const { full } = this.#room
    return full === null ? this.over : Promise.reject(full)
  }

  play(onProgress: OnProgress = () => undefined): Promise<boolean> {
    this.#playing ??= this.#playOnce(onProgress)
    return this.#playing
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#playing
    if (this.isWaiting) this.#giveUp()
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  async #playOnce(onProgress: OnProgress): Promise<boolean> {
    const { chain, warn } = this.#parts
    try {
      const isPlayed = await this.#playAll(onProgress)
      await chain.awaitDisk()
      return isPlayed
    } catch (error) {
      warn(`The ${this.#title} could not be played to its end`, { error: failureText(error) })
      return false
    } finally {
      // After a failure, too. When the disk fails, the log refuses all that others would add.
      await chain.awaitDisk().catch(() => undefined)
      // The next process continues the story: until then neither the clock nor waiting calls may change the chain.
      if (this.#isStopped) this.#giveUp()
      else chain.parts.clock.release()
      this.#end()
    }
  }

  async #playAll(onProgress: OnProgress): Promise<boolean> {
    const { chain, turns } = this.#parts
    const steps = this.#left.length
    // What the last process left pending.
    await this.#settle()
    for (const [done, episode] of this.#left.entries()) {
      if (this.#isStopped) return false
      onProgress({ done, steps, title: episode.title })
      await this.#room.forStep(() => turns.take(() => happen(chain, episode)))
      await this.#settle()
      await nextTurn()
    }
    onProgress({ done: steps, steps, title: 'done' })
    return true
  }

  #settle(): Promise<void> {
    return this.#room.forStep(() => this.#parts.miner.settle(() => this.#isStopped))
  }
}

/** A player for this chain, whose clock is stopped until the end of the story. */
export const createPlayer = (parts: PlayerParts): Player => new StoryPlayer(parts)
