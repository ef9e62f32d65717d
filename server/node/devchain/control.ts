// What a developer may do to the embedded chain and nobody can do to a real one.

import type { Cell } from '../../cell/index.ts'
import type { StateInit } from '../../tlb/index.ts'
import {
  type AccountAddress,
  type AccountDescription,
  createFaucet,
  describeAccounts,
  type Faucet,
} from './accounts/index.ts'
import type { Chain, Turns } from './chain/index.ts'
import type { AccountName, Injected } from './collate/index.ts'
import type { Deployment } from './contracts/index.ts'
import { createCast, createGifts, dataAt, type Gifts, type ItemGift, type JettonGift } from './demo/index.ts'
import type { Mempool } from './mempool/index.ts'
import type { Miner, MiningMode } from './mining/index.ts'
import type { AccountPatch, BlockIdExt } from './state/index.ts'
import { BASECHAIN, MASTERCHAIN } from './state/index.ts'

export interface ControlParts {
  readonly chain: Chain
  readonly pool: Mempool
  readonly miner: Miner
  readonly turns: Turns
  readonly send: (boc: Uint8Array) => Promise<unknown>
}

export interface ControlState {
  readonly head: { readonly master: BlockIdExt; readonly shard: BlockIdExt }
  readonly mining: MiningMode
  /** Of the newest block. */
  readonly utime: number
  /** Seconds the chain's clock is ahead of the machine's. */
  readonly clockOffset: number
  /** Accounts every chain is born with, keys and all. */
  readonly accounts: readonly AccountDescription[]
  /** Messages that wait for a block. */
  readonly pending: number
  /** How often the chain was reverted. */
  readonly epoch: number
}

export interface SendInternalOptions {
  readonly from: AccountName
  readonly to: AccountName
  /** Nanotons. */
  readonly value: bigint
  readonly body?: Cell
  readonly init?: StateInit
  readonly bounce?: boolean
}

/** Steps one call may make. */
export const MAX_MINED = 10_000

export interface Control {
  /** Sends coins through the faucet contract; resolves as sending does. Rejects with MessageRefused. */
  faucet(to: AccountName, amount: bigint): Promise<void>
  /** Mints some of the demo jetton; `amount` is in its smallest units. Resolves as sending does. */
  jetton(to: AccountName, amount: bigint): Promise<JettonGift>
  /** Mints an item of the demo collection. Resolves as sending does. */
  nft(to: AccountName): Promise<ItemGift>
  /** Makes steps. Rejects with RangeError for more than `MAX_MINED`. */
  mine(count?: number): Promise<void>
  /** Moves the clock on; the next block shows it. Rejects with RangeError. */
  increaseTime(seconds: number): Promise<void>
  /** The next block is made at this time. Rejects with RangeError. */
  setNextBlockTime(utime: number): Promise<void>
  /** A name for the chain as it is now. */
  snapshot(): Promise<string>
  /** Undoes everything since a snapshot, which is used up with all later ones. Rejects with RangeError. */
  revert(name: string): Promise<void>
  /** Changes an account; in mode `auto` it is done when this resolves, otherwise in the next step. */
  setAccount(patch: AccountPatch): Promise<void>
  /** Delivers an internal message as if from any address; otherwise as `setAccount`. */
  sendInternal(options: SendInternalOptions): Promise<void>
  setMining(mode: MiningMode): void
  state(): ControlState
}

function checkWorkchain({ workchain, id }: AccountName): void {
  if (workchain !== MASTERCHAIN && workchain !== BASECHAIN) throw new RangeError(`There is no workchain ${workchain}`)
  if (id.length !== 32) throw new RangeError(`An account id has 32 bytes, not ${id.length}`)
}

const MAX_COINS = (1n << 120n) - 1n

function checkAmount(amount: bigint): void {
  if (amount < 0n || amount > MAX_COINS) throw new RangeError(`${amount} is no amount of coins`)
}

/** As deep as contracts themselves may make their data; the trees of the chain stand above it. */
const MAX_TREE_DEPTH = 512

function checkTree(tree: Cell | null | undefined): void {
  if (tree && tree.depth() > MAX_TREE_DEPTH)
    throw new RangeError(
      `Trees of cells in accounts and messages are up to ${MAX_TREE_DEPTH} deep, not ${tree.depth()}`,
    )
  if (tree && tree.level > 0) throw new RangeError('Pruned trees of cells cannot be part of accounts and messages')
}

// What was asked for by hand shows at once where blocks are made at once.
async function settleIfAuto({ miner }: ControlParts): Promise<void> {
  if (miner.mode === 'auto') await miner.settle()
}

function blockControl({ miner }: ControlParts): Pick<Control, 'mine' | 'setMining'> {
  return {
    async mine(count = 1) {
      if (!Number.isInteger(count) || count < 1 || count > MAX_MINED)
        throw new RangeError(`1 to ${MAX_MINED} steps can be made at once, not ${count}`)
      await miner.mine(count)
    },
    setMining: (mode) => miner.setMode(mode),
  }
}

function timeControl({ chain, turns }: ControlParts): Pick<Control, 'increaseTime' | 'setNextBlockTime'> {
  const { clock } = chain.parts
  return {
    increaseTime: (seconds) =>
      turns.take(async () => {
        clock.increase(seconds)
        await chain.recordClock()
      }),
    setNextBlockTime: (utime) =>
      turns.take(async () => {
        clock.setNext(utime, Math.max(chain.moment.master.utime, chain.moment.shard.utime))
        await chain.recordClock()
      }),
  }
}

function historyControl({ chain, pool, miner, turns }: ControlParts): Pick<Control, 'snapshot' | 'revert'> {
  // What waited at a snapshot; like everything that waits it does not outlive the process.
  const waiting = new Map<string, ReturnType<Mempool['contents']>>()
  return {
    snapshot: () =>
      turns.take(async () => {
        const name = await chain.mark()
        waiting.set(name, pool.contents())
        return name
      }),
    revert: (name) =>
      turns.take(async () => {
        await chain.revert(name)
        miner.forget()
        pool.restore(waiting.get(name) ?? [])
        for (const kept of [...waiting.keys()]) if (!chain.hasMark(kept)) waiting.delete(kept)
        miner.wake()
      }),
  }
}

const faucetOf = ({ chain, send }: ControlParts): Faucet =>
  createFaucet({
    send: async (boc) => {
      await send(boc)
    },
    now: () => chain.moment.shard.utime,
  })

/** Owners of jettons and items are in the basechain. */
function checkOwner({ workchain, id }: AccountName): { readonly workchain: number; readonly hash: Uint8Array } {
  if (workchain !== BASECHAIN) throw new RangeError(`Tokens are for accounts of the basechain, not of ${workchain}`)
  return { workchain, hash: id }
}

/** The message that deploys a contract, as if from an account. */
function deploying({ address, code, data }: Deployment, from: AccountAddress, value: bigint): Injected {
  const init: StateInit = { fixedPrefixLength: null, special: null, code, data, library: null }
  const name = ({ workchain, hash }: AccountAddress): AccountName => ({ workchain, id: hash })
  return { from: name(from), to: name(address), value, body: null, init, bounce: false }
}

function giftControl(parts: ControlParts): Pick<Control, 'jetton' | 'nft'> {
  const { chain, pool, miner } = parts
  const faucet = faucetOf(parts)
  const gifts: Gifts = createGifts({
    cast: createCast(chain.moment.master.globalId),
    faucet,
    dataOf: (account) => dataAt(chain.moment, account),
    // From no wallet, whose owner may be using it just now; and such messages come first in a block.
    deploy: (contract, value) => miner.inject(deploying(contract, faucet.address, value)),
    pending: () => pool.size,
  })
  return {
    async jetton(to, amount) {
      checkAmount(amount)
      const gift = await gifts.jetton(checkOwner(to), amount)
      await settleIfAuto(parts)
      return gift
    },
    async nft(to) {
      const gift = await gifts.item(checkOwner(to))
      await settleIfAuto(parts)
      return gift
    },
  }
}

function accountControl(parts: ControlParts): Pick<Control, 'faucet' | 'setAccount' | 'sendInternal'> {
  const { miner } = parts
  const faucet = faucetOf(parts)
  return {
    async faucet(to, amount) {
      checkWorkchain(to)
      checkAmount(amount)
      await faucet.pay([{ to: { workchain: to.workchain, hash: to.id }, amount }])
      await settleIfAuto(parts)
    },
    async setAccount(patch) {
      checkWorkchain(patch)
      if (patch.balance !== undefined) checkAmount(patch.balance)
      checkTree(patch.code)
      checkTree(patch.data)
      miner.patch(patch)
      await settleIfAuto(parts)
    },
    async sendInternal({ from, to, value, body, init, bounce }) {
      checkWorkchain(from)
      checkWorkchain(to)
      checkAmount(value)
      for (const tree of [body, init?.code, init?.data, init?.library]) checkTree(tree)
      miner.inject({ from, to, value, body: body ?? null, init: init ?? null, bounce: bounce ?? true })
      await settleIfAuto(parts)
    },
  }
}

/** The controls of a chain. */
export function createControl(parts: ControlParts): Control {
  const { chain, pool, miner } = parts
  const accounts = describeAccounts(chain.moment.master.globalId)
  return {
    ...blockControl(parts),
    ...timeControl(parts),
    ...historyControl(parts),
    ...accountControl(parts),
    ...giftControl(parts),
    state: () => ({
      head: { master: chain.moment.master.id, shard: chain.moment.shard.id },
      mining: miner.mode,
      utime: chain.moment.master.utime,
      clockOffset: chain.parts.clock.offset,
      accounts,
      pending: pool.size,
      epoch: chain.epoch,
    }),
  }
}

/** The same controls, whose effects wait until something is over. What only looks does not wait. */
export function untilOver(control: Control, over: Promise<void>): Control {
  const later =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      over.then(() => work(...args))
  return {
    ...control,
    ...{ faucet: later(control.faucet), jetton: later(control.jetton), nft: later(control.nft) },
    ...{ mine: later(control.mine), increaseTime: later(control.increaseTime) },
    ...{ setNextBlockTime: later(control.setNextBlockTime), snapshot: later(control.snapshot) },
    ...{ revert: later(control.revert), setAccount: later(control.setAccount) },
    sendInternal: later(control.sendInternal),
  }
}
