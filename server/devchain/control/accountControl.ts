// Money, tokens, accounts and messages out of nothing.

import { type Cell, writeBoc } from '../../cell/index.ts'
import { depthBalanceOf, type StateInit } from '../../tlb/index.ts'
import type { AccountAddress } from '../accounts/index.ts'
import type { AccountName, Injected } from '../collate/index.ts'
import type { Deployment } from '../contracts/index.ts'
import { createCast, createGifts, dataAt, type ItemGift, type JettonGift } from '../demo/index.ts'
import { type AccountPatch, BASECHAIN } from '../state/index.ts'
import { type ControlParts, checkAmount, checkTree, checkWorkchain, faucetOf } from './parts.ts'
import { type Caused, followTrace, NOT_YET } from './trace.ts'

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
  /** Sends TON out of the faucet; resolves as sending does, with mining at `auto` when the trace has ended or a bound is met. */
  faucet(to: AccountName, amount: bigint): Promise<Caused>
  /** Mints some of the demo jetton; `amount` is in its smallest units. Resolves as `faucet`. */
  jetton(to: AccountName, amount: bigint): Promise<Omit<JettonGift, 'request'> & Caused>
  /** Mints an item of the demo collection. Resolves as `faucet`. */
  nft(to: AccountName): Promise<Omit<ItemGift, 'request'> & Caused>
  /** Changes an account; in mode `auto` it is done when this resolves, otherwise in the next step. */
  setAccount(patch: AccountPatch): Promise<void>
  /** Delivers an internal message as if from any address; otherwise as `faucet`. */
  sendInternal(options: SendInternalOptions): Promise<Caused>
}

const nameOf = ({ workchain, hash }: AccountAddress): AccountName => ({ workchain, id: hash })
const addressOf = ({ workchain, id }: AccountName): AccountAddress => ({ workchain, hash: id })

/** Owners of jettons and items are in the basechain. */
function checkOwner({ workchain, id }: AccountName): AccountAddress {
  if (workchain !== BASECHAIN) throw new RangeError(`Tokens are for accounts of the basechain, not of ${workchain}`)
  return { workchain, hash: id }
}

/** The message that deploys a contract, as if from an account. */
function deploying({ address, code, data }: Deployment, from: AccountAddress, value: bigint): Injected {
  const init: StateInit = { fixedPrefixLength: null, special: null, code, data, library: null }
  return { from: nameOf(from), to: nameOf(address), value, body: null, init, bounce: false }
}

const TON = 1_000_000_000n
/** 1 TON that the contract never pays out, the fees of one payment, and storage until the next block. */
const KEPT = 2n * TON

const inTon = (amount: bigint): string => {
  const [whole, part] = [
    amount / TON,
    String(amount % TON)
      .padStart(9, '0')
      .replace(/0+$/, ''),
  ]
  return part === '' ? `${whole}` : `${whole}.${part}`
}

/** Throws RangeError for more than the faucet has: the usual cause is an amount in TON where nanotons are meant. */
function checkFaucet({ chain }: ControlParts, faucet: AccountAddress, amount: bigint): void {
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
  const { chain, pool, miner } = parts
  const faucet = faucetOf(parts)
  const gifts = createGifts({
    cast: createCast(chain.moment.master.globalId),
    faucet,
    dataOf: (account) => dataAt(chain.moment, account),
    // Not from a wallet, whose owner may be using it just now; and such messages come first in a block.
    deploy: (contract, value) => void miner.inject(deploying(contract, faucet.address, value)).catch(() => undefined),
    pending: () => pool.size,
  })
  /** Where blocks are made at once, waits for what a call leads to. */
  const isAtOnce = () => miner.mode === 'auto'
  const seqno = () => chain.moment.master.id.seqno
  const follow = (since: number, target: AccountName, root: Cell | undefined): Promise<Caused> =>
    isAtOnce() && root !== undefined
      ? followTrace(chain, { root: root.hash(), since, target })
      : Promise.resolve(NOT_YET)

  return {
    async faucet(to, amount) {
      checkWorkchain(to)
      checkAmount(amount)
      checkFaucet(parts, faucet.address, amount)
      const since = seqno()
      const request = faucet.request([{ to: addressOf(to), amount }])
      await parts.send(writeBoc(request))
      return await follow(since, to, request)
    },
    async jetton(to, amount) {
      checkAmount(amount)
      const since = seqno()
      const { request, ...gift } = await gifts.jetton(checkOwner(to), amount)
      return { ...gift, ...(await follow(since, nameOf(gift.wallet), request)) }
    },
    async nft(to) {
      const since = seqno()
      const { request, ...gift } = await gifts.item(checkOwner(to))
      return { ...gift, ...(await follow(since, nameOf(gift.item), request)) }
    },
    async setAccount(patch) {
      checkWorkchain(patch)
      if (patch.balance !== undefined) checkAmount(patch.balance)
      checkTree(patch.code)
      checkTree(patch.data)
      const done = miner.patch(patch)
      if (isAtOnce()) await done
      else done.catch(() => undefined)
    },
    async sendInternal({ from, to, value, body, init, bounce }) {
      checkWorkchain(from)
      checkWorkchain(to)
      checkAmount(value)
      for (const tree of [body, init?.code, init?.data, init?.library]) checkTree(tree)
      const since = seqno()
      const done = miner.inject({ from, to, value, body: body ?? null, init: init ?? null, bounce: bounce ?? true })
      if (isAtOnce()) return await followTrace(chain, { root: await done, since, target: to })
      done.catch(() => undefined)
      return NOT_YET
    },
  }
}
