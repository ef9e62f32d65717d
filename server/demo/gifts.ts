// Mints the demo jetton and items of the demo collection for any account. Missing contracts are deployed first.

import { type Cell, openCell, writeBoc } from '../cell/index.ts'
import {
  type AccountId,
  type AccountName,
  BASECHAIN,
  type CausedTrace,
  ChangeQueue,
  checkAmount,
  createFaucet,
  type Deployment,
  type Devchain,
  dataAt,
  failDropped,
} from '../devchain/index.ts'
import { createCast } from './cast.ts'
import { jettonWalletInit, nftItemInit } from './contracts/index.ts'
import { demoCollection, mintingItem } from './parts/items.ts'
import { demoJetton, minting } from './parts/jettons.ts'
import { type ScriptSending, scriptCoins } from './script.ts'

export interface JettonGift {
  readonly master: AccountId
  /** The receiver's. */
  readonly wallet: AccountId
}

export interface ItemGift {
  readonly collection: AccountId
  readonly item: AccountId
  readonly index: bigint
}

/** Takes the faucet's message in place of the chain. */
type Send = (boc: Uint8Array) => Promise<unknown>

export interface Gifts {
  /** Mints the demo jetton; `amount` is in its smallest units. Resolves as the faucet of the chain's control does. */
  jetton(to: AccountName, amount: bigint, send?: Send): Promise<JettonGift & CausedTrace>
  /** Mints the next item of the demo collection. Resolves as `jetton`. */
  nft(to: AccountName, send?: Send): Promise<ItemGift & CausedTrace>
}

const DEPLOYMENT_VALUE = scriptCoins(0.5)

/** The index of the next item, read from the data of a collection. */
function nextIndex(data: Cell): bigint {
  const slice = openCell(data)
  // The owner: an ordinary address, always of 267 bits.
  slice.loadBits(267)
  return slice.loadUintBig(64)
}

const nameOf = ({ workchain, hash }: AccountId): AccountName => ({ workchain, id: hash })

/** Owners of jettons and items are in the basechain. */
function checkOwner({ workchain, id }: AccountName): AccountId {
  if (workchain !== BASECHAIN) throw new RangeError(`Tokens are for accounts of the basechain, not of ${workchain}`)
  return { workchain, hash: id }
}

type GiftChain = Pick<Devchain, 'globalId' | 'control' | 'send' | 'reader' | 'player'>

/** Gifts wait until the demo has been played. */
class DemoGifts implements Gifts {
  readonly #chain: GiftChain
  readonly #cast: ReturnType<typeof createCast>
  readonly #faucet: ReturnType<typeof createFaucet>
  readonly #turns = new ChangeQueue()
  /** The last index that was given away, after so many reverts; its item may not be in a block yet. */
  #given = -1n
  #epoch = 0

  constructor(chain: GiftChain) {
    this.#chain = chain
    this.#cast = createCast(chain.globalId)
    this.#faucet = createFaucet({ now: () => chain.control.state().upcomingUtime })
  }

  async jetton(name: AccountName, amount: bigint, send?: Send): Promise<JettonGift & CausedTrace> {
    await this.#chain.player.ready()
    checkAmount(amount)
    const since = this.#seqno
    const to = checkOwner(name)
    const master = demoJetton(this.#cast)
    this.#ensure(master)
    const request = await this.#pay(
      minting(master, { to, amount, queryId: 0n, responseTo: this.#faucet.address }),
      send,
    )
    const wallet = jettonWalletInit(master.address, to).address
    return { master: master.address, wallet, ...(await this.#follow(request, since, wallet)) }
  }

  async nft(name: AccountName, send?: Send): Promise<ItemGift & CausedTrace> {
    await this.#chain.player.ready()
    const since = this.#seqno
    const to = checkOwner(name)
    // One at a time: the next index is known when the previous item is in a block or pending.
    const { request, ...gift } = await this.#turns.take(async () => {
      const collection = demoCollection(this.#cast)
      this.#ensure(collection)
      const index = this.#takeIndex(collection)
      const request = await this.#pay(mintingItem(collection, index, to), send).catch((error: unknown) => {
        // Free again: the collection refuses an index behind its next one.
        this.#given = index - 1n
        throw error
      })
      return { request, collection: collection.address, item: nftItemInit(collection.address, index).address, index }
    })
    return { ...gift, ...(await this.#follow(request, since, gift.item)) }
  }

  get #seqno(): number {
    return this.#chain.control.state().head.master.seqno
  }

  #dataOf(account: AccountId): Cell | null {
    return dataAt(this.#chain.reader.moment(), account)
  }

  /** An internal message instead of a wallet's: the wallet may be in use, and internal messages come first in a block. */
  #ensure({ address, code, data }: Deployment): void {
    if (this.#dataOf(address) !== null) return
    const init = { fixedPrefixLength: null, special: null, code, data, library: null }
    const from = nameOf(this.#faucet.address)
    const to = nameOf(address)
    const message = { from, to, value: DEPLOYMENT_VALUE, init, bounce: false }
    void this.#chain.control.sendInternal(message).catch(() => undefined)
  }

  #takeIndex(collection: Deployment): bigint {
    const data = this.#dataOf(collection.address)
    const next = data === null ? 0n : nextIndex(data)
    const { pending, epoch } = this.#chain.control.state()
    const mayBePending = pending > 0 && epoch === this.#epoch
    this.#given = mayBePending && this.#given >= next ? this.#given + 1n : next
    this.#epoch = epoch
    return this.#given
  }

  /** Resolves with the faucet's message when the chain has accepted it. */
  async #pay(
    { to, value, body }: ScriptSending & { readonly to: AccountId },
    send: Send = (boc) => this.#chain.send(boc),
  ): Promise<Cell> {
    const request = this.#faucet.request([{ to, amount: value, ...(body === undefined ? {} : { body }) }])
    await send(writeBoc(request)).catch(failDropped)
    return request
  }

  #follow(request: Cell, since: number, target: AccountId): Promise<CausedTrace> {
    return this.#chain.control.follow({ root: request.hash(), since, target: nameOf(target) })
  }
}

export const createGifts = (chain: GiftChain): Gifts => new DemoGifts(chain)
