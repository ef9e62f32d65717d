// The controls of a chain, put together.

import { type AccountDescription, describeAccounts } from '../accounts/index.ts'
import type { MiningMode } from '../mining/index.ts'
import type { BlockIdExt } from '../state/index.ts'
import { type AccountControl, accountControl } from './accountControl.ts'
import type { ControlParts } from './controlParts.ts'
import { type TimeControl, timeControl } from './timeControl.ts'

export interface ControlState {
  readonly head: { readonly master: BlockIdExt; readonly shard: BlockIdExt }
  readonly mining: MiningMode
  /** Milliseconds within which the next block is due when nothing happens; null when it never is. */
  readonly nextBlockMs: number | null
  /** Milliseconds for which it is overdue. */
  readonly lateMs: number
  /** Of the newest block. */
  readonly utime: number
  /** Of the next block, if it is made now. */
  readonly upcomingUtime: number
  /** Seconds the chain's clock is ahead of the computer's. */
  readonly clockOffset: number
  /** Accounts every chain is born with, keys and all. */
  readonly accounts: readonly AccountDescription[]
  /** Messages that wait for a block. */
  readonly pending: number
  /** How often the chain was reverted. */
  readonly epoch: number
  /** Null for a chain of its own. */
  readonly fork: { readonly block: BlockIdExt; readonly utime: number; readonly accounts: number } | null
}

export interface Control extends TimeControl, AccountControl {
  state(): ControlState
}

/** The controls of a chain. */
export function createControl(parts: ControlParts): Control {
  const { chain, pool, miner, fork } = parts
  const accounts = describeAccounts(chain.moment.master.globalId)
  return {
    ...timeControl(parts),
    ...accountControl(parts),
    state: () => ({
      head: { master: chain.moment.master.id, shard: chain.moment.shard.id },
      mining: miner.mode,
      nextBlockMs: miner.nextStepMs,
      lateMs: miner.lateMs,
      utime: chain.moment.master.utime,
      upcomingUtime: chain.upcomingUtime,
      clockOffset: chain.clocks.chain - chain.clocks.computer,
      accounts,
      pending: pool.pending,
      epoch: chain.epoch,
      fork: fork && { ...fork.network.point, accounts: fork.imported },
    }),
  }
}

/** Controls whose changes wait until the chain is ready for them; reads do not wait. */
export function whenReady(control: Control, ready: () => Promise<void>): Control {
  const later =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      ready().then(() => work(...args))
  return {
    ...control,
    faucet: later(control.faucet),
    mine: later(control.mine),
    increaseTime: later(control.increaseTime),
    resetTime: later(control.resetTime),
    setNextBlockTime: later(control.setNextBlockTime),
    snapshot: later(control.snapshot),
    revert: later(control.revert),
    setAccount: later(control.setAccount),
    sendInternal: later(control.sendInternal),
  }
}
