// Some of the demo jetton, or an item of the demo collection, for whoever wants it. What is not there yet is deployed first.

import { type Cell, openCell } from '../../cell/index.ts'
import type { Faucet } from '../accounts/index.ts'
import { Turns } from '../chain/index.ts'
import { type AccountAddress, type Deployment, jettonWallet, nftItem } from '../contracts/index.ts'
import { demoCollection, mintingItem } from './parts/items.ts'
import { demoJetton, minting } from './parts/jettons.ts'
import { type Cast, coins } from './script.ts'

export interface GiftParts {
  readonly cast: Cast
  readonly faucet: Faucet
  readonly dataOf: (account: AccountAddress) => Cell | null
  /** Has a contract deployed before anything else that the next block does. */
  readonly deploy: (contract: Deployment, value: bigint) => void
  /** Messages that wait for a block. */
  readonly pending: () => number
}

export interface JettonGift {
  /** The faucet's message that begins it. */
  readonly request: Cell | undefined
  readonly master: AccountAddress
  /** The receiver's. */
  readonly wallet: AccountAddress
}

export interface ItemGift {
  /** The faucet's message that begins it. */
  readonly request: Cell | undefined
  readonly collection: AccountAddress
  readonly item: AccountAddress
  readonly index: bigint
}

export interface Gifts {
  /** Mints; `amount` is in the smallest units. Resolves as sending does. */
  jetton(to: AccountAddress, amount: bigint): Promise<JettonGift>
  /** Mints an item of the next number. Resolves as sending does. */
  item(to: AccountAddress): Promise<ItemGift>
}

const DEPLOYMENT_VALUE = coins(0.5)

/** The number of the next item, out of the data of a collection. */
function nextIndex(data: Cell): bigint {
  const slice = openCell(data)
  // An owner in the basechain, without anything special about the address.
  slice.loadBits(267)
  return slice.loadUintBig(64)
}

export function createGifts({ cast, faucet, dataOf, deploy, pending }: GiftParts): Gifts {
  const turns = new Turns()
  /** The number given last, which no block may have yet. */
  let given = -1n

  function ensure(contract: Deployment): void {
    if (dataOf(contract.address) === null) deploy(contract, DEPLOYMENT_VALUE)
  }

  function takeIndex(collection: Deployment): bigint {
    const data = dataOf(collection.address)
    const next = data === null ? 0n : nextIndex(data)
    given = pending() > 0 && given >= next ? given + 1n : next
    return given
  }

  return {
    async jetton(to, amount) {
      const master = demoJetton(cast)
      ensure(master)
      const { to: address, value, body } = minting(master, { to, amount, queryId: 0n, responseTo: faucet.address })
      const [request] = await faucet.pay([{ to: address, amount: value, ...(body === undefined ? {} : { body }) }])
      return { request, master: master.address, wallet: jettonWallet(master.address, to).address }
    },
    // One after the other: which number is the next is known when the one before is in a block, or waits for it.
    item: (to) =>
      turns.take(async () => {
        const collection = demoCollection(cast)
        ensure(collection)
        const index = takeIndex(collection)
        const { to: address, value, body } = mintingItem(collection, index, to)
        const [request] = await faucet.pay([{ to: address, amount: value, body }])
        return { request, collection: collection.address, item: nftItem(collection.address, index).address, index }
      }),
  }
}
