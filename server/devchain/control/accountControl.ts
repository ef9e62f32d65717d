// Creates TON, account states and internal messages without a transaction that pays for them.

import { inTon } from '../../../shared/inTon.ts'
import { type Cell, writeBoc } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { depthBalanceOf, type StateInit } from '../../tlb/index.ts'
import type { AccountName } from '../collate/index.ts'
import { failDropped } from '../mempool/index.ts'
import type { AccountPatch } from '../state/index.ts'
import { type ControlParts, checkAmount, checkLibraries, checkTree, checkWorkchain, faucetOf } from './controlParts.ts'
import { type CausedTrace, followTrace, NOT_YET, type TraceStart } from './followTrace.ts'

export interface SendInternalOptions {
  readonly from: AccountName
  readonly to: AccountName
  /** Nanotons. */
  readonly value: bigint
  readonly body?: Cell
  readonly init?: StateInit
  readonly bounce?: boolean
}

export interface AccountControl {
  /**
   * Sends TON out of the faucet; resolves as sending does, with mining at `auto` when the trace has ended or a bound is met.
   * `send` takes the message in place of the chain.
   */
  faucet(to: AccountName, amount: bigint, send?: ControlParts['send']): Promise<CausedTrace>
  /** Changes an account; in mode `auto` it is done when this resolves, otherwise in the next step. */
  setAccount(patch: AccountPatch): Promise<void>
  /** Delivers an internal message as if from any address; otherwise as `faucet`. */
  sendInternal(options: SendInternalOptions): Promise<CausedTrace>
  /** What a message that was sent has led to; resolves as `faucet`. */
  follow(start: TraceStart): Promise<CausedTrace>
}

const addressOf = ({ workchain, id }: AccountName): AccountId => ({ workchain, hash: id })

const TON = 1_000_000_000n
/** 1 TON that the contract never pays out, the fees of one payment, and storage until the next block. */
const KEPT = 2n * TON

/** Throws RangeError for more than the faucet has: the usual cause is an amount in TON where nanotons are meant. */
function checkFaucet({ chain }: ControlParts, faucet: AccountId, amount: bigint): void {
  const found = chain.moment.shard.accounts.get(faucet.hash)
  const balance = found === undefined ? 0n : depthBalanceOf(found.account).balance.grams
  const most = balance > KEPT ? balance - KEPT : 0n
  if (amount > most)
    throw new RangeError(
      `The faucet can pay ${most} nanotons (${inTon(most)} TON), not ${amount} (${inTon(amount)} TON); ` +
        'dev.setAccount gives an account any balance',
    )
}

export function accountControl(parts: ControlParts): AccountControl {
  const { chain, miner } = parts
  const faucet = faucetOf(parts)
  /** Where blocks are made at once, waits for what a call leads to. */
  const isAtOnce = () => miner.mode === 'auto'
  const seqno = () => chain.moment.master.id.seqno
  const follow = (start: TraceStart): Promise<CausedTrace> =>
    isAtOnce() ? followTrace(chain, start) : Promise.resolve(NOT_YET)

  /** Brings them once more when the chain was reverted meanwhile: a revert takes away what was brought. */
  const bring = async (
    accounts: readonly AccountName[],
    roots: readonly (Cell | null | undefined)[],
  ): Promise<void> => {
    const trees = roots.filter((root) => root != null)
    let epoch: number
    do {
      epoch = chain.epoch
      await parts.fork?.bring(accounts, trees)
    } while (epoch !== chain.epoch)
  }

  return {
    follow,
    async faucet(to, amount, send = parts.send) {
      checkWorkchain(to)
      checkAmount(amount)
      checkFaucet(parts, faucet.address, amount)
      const since = seqno()
      const request = faucet.request([{ to: addressOf(to), amount }])
      await send(writeBoc(request)).catch(failDropped)
      return await follow({ root: request.hash(), since, target: to })
    },
    async setAccount(patch) {
      checkWorkchain(patch)
      if (patch.balance !== undefined) checkAmount(patch.balance)
      checkTree(patch.code)
      checkTree(patch.data)
      // One that is given whole needs nothing of the network.
      const isWhole = patch.balance !== undefined && patch.code !== undefined && patch.data !== undefined
      await bring(isWhole ? [] : [patch], [patch.code, patch.data])
      const done = miner.patch(patch)
      if (isAtOnce()) await done
      else done.catch(() => undefined)
    },
    async sendInternal({ from, to, value, body, init, bounce }) {
      checkWorkchain(from)
      checkWorkchain(to)
      checkAmount(value)
      for (const tree of [body, init?.code, init?.data, init?.library]) checkTree(tree)
      checkLibraries(init?.library)
      await bring([to], [body, init?.code, init?.data])
      const since = seqno()
      const done = miner.inject({ from, to, value, body: body ?? null, init: init ?? null, bounce: bounce ?? true })
      if (isAtOnce()) return await followTrace(chain, { root: await done, since, target: to })
      done.catch(() => undefined)
      return NOT_YET
    },
  }
}
