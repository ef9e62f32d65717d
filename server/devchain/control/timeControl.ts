// Clock, blocks on demand, and reverts.

import type { Mempool } from '../mempool/index.ts'
import type { Miner, MiningMode } from '../mining/index.ts'
import type { ControlParts } from './controlParts.ts'

/** Steps one call may make. */
const MAX_MINED = 10_000

export interface ControlledClocks {
  /** Unix seconds the next block will not be before. */
  readonly chain: number
  /** Unix seconds of this computer. */
  readonly computer: number
}

export interface SnapshotFacts {
  readonly id: string
  readonly label: string | null
  /** Newest masterchain block when it was taken. */
  readonly seqno: number
}

export interface TimeControl {
  /** Makes steps. Rejects with RangeError for more than `MAX_MINED`. */
  mine(count?: number): Promise<void>
  setMining(mode: MiningMode): void
  /** Moves the clock on; the next block shows it. Rejects with RangeError. */
  increaseTime(seconds: number): Promise<ControlledClocks>
  /** The next block is made at this time. Rejects with RangeError. */
  setNextBlockTime(utime: number): Promise<ControlledClocks>
  /** Follows the computer's clock again; blocks keep the time of the newest one until it has caught up. */
  resetTime(): Promise<ControlledClocks>
  /** A name for the chain as it is now. Rejects with RangeError for a label that is taken. */
  snapshot(label?: string): Promise<string>
  /** Those that can be returned to, oldest first. */
  snapshots(): readonly SnapshotFacts[]
  /** Undoes everything since a snapshot, named by id or label; it is used up with all later ones. Rejects with RangeError. */
  revert(name: string): Promise<void>
}

interface Waiting {
  readonly messages: ReturnType<Mempool['contents']>
  readonly changes: Miner['changes']
}

const NOTHING: Waiting = { messages: [], changes: { patches: [], injected: [] } }

type Steps = Pick<TimeControl, 'mine' | 'setMining'>
type Clock = Pick<TimeControl, 'increaseTime' | 'setNextBlockTime' | 'resetTime'>

function stepControl({ miner, tried, fork }: ControlParts): Steps {
  return {
    async mine(count = 1) {
      if (!Number.isInteger(count) || count < 1 || count > MAX_MINED)
        throw new RangeError(`1 to ${MAX_MINED} steps can be made at once, not ${count}`)
      // What was sent before is in the first of them.
      await tried()
      for (let made = 0; made < count; made++) {
        // In mode `auto` a message that waits is delivered as soon as its account was read.
        if (miner.mode !== 'auto') await fork?.readBefore(() => miner.rehearse())
        await miner.mine(1)
      }
    },
    setMining: (mode) => miner.setMode(mode),
  }
}

function clockControl({ chain, turns }: ControlParts): Clock {
  const { clock } = chain.parts
  const newest = () => Math.max(chain.moment.master.utime, chain.moment.shard.utime)
  const move = (change: () => void): Promise<ControlledClocks> =>
    turns.take(async () => {
      const undo = clock.save()
      try {
        change()
        await chain.recordClock()
      } catch (error) {
        undo()
        throw error
      }
      return chain.clocks
    })
  return {
    increaseTime: (seconds) => move(() => clock.increase(seconds, newest())),
    setNextBlockTime: (utime) => move(() => clock.setNext(utime, newest())),
    resetTime: () => move(() => clock.reset()),
  }
}

function historyControl({
  chain,
  pool,
  miner,
  turns,
}: ControlParts): Pick<TimeControl, 'snapshot' | 'snapshots' | 'revert'> {
  // What waited at a snapshot; like everything that waits it does not outlive the process.
  const waiting = new Map<string, Waiting>()
  return {
    snapshot: (label) =>
      turns.take(async () => {
        const name = await chain.mark(label)
        waiting.set(name, { messages: pool.contents(), changes: miner.changes })
        return name
      }),
    snapshots: () =>
      chain.parts.marks.all.map(({ name, label = null, seqno }): SnapshotFacts => ({ id: name, label, seqno })),
    revert: (given) =>
      turns.take(async () => {
        const name = chain.markNamed(given)
        await chain.revert(name)
        const { messages, changes } = waiting.get(name) ?? NOTHING
        miner.restore(changes, 'the chain was reverted')
        pool.restore(messages)
        for (const kept of [...waiting.keys()]) if (!chain.hasMark(kept)) waiting.delete(kept)
        miner.wake()
      }),
  }
}

export const timeControl = (parts: ControlParts): TimeControl => ({
  ...stepControl(parts),
  ...clockControl(parts),
  ...historyControl(parts),
})
