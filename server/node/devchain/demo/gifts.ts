// Some of the demo jetton, or an item of the demo collection, for whoever wants it. What is not there yet is deployed first.

import { type Cell, openCell } from '../../../cell/index.ts'
import type { Faucet } from '../accounts/index.ts'
import { type AccountAddress, type Deployment, jettonWallet, nftItem } from '../contracts/index.ts'
import { messageOf } from './cast.ts'
import { demoCollection, mintingItem } from './parts/items.ts'
import { demoJetton, minting } from './parts/jettons.ts'
import { type Cast, coins } from './script.ts'

export interface GiftParts {
  readonly cast: Cast
  readonly faucet: Faucet
  readonly dataOf: (account: AccountAddress) => Cell | null
  readonly send: (boc: Uint8Array) => Promise<unknown>
  /** The chain's time. */
  readonly now: () => number
  /** Messages that wait for a block. */
  readonly pending: () => number
}

export interface JettonGift {
  readonly master: AccountAddress
  /** The receiver's. */
  readonly wallet: AccountAddress
}

export interface ItemGift {
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

/** Which wallets deploy what is missing: one each, since no two messages of a wallet can wait for the same block. */
const DEPLOYERS = { jetton: 9, collection: 10 } as const

/** The number of the next item, out of the data of a collection. */
function nextIndex(data: Cell): bigint {
  const slice = openCell(data)
  // An owner in the basechain, without anything special about the address.
  slice.loadBits(267)
  return slice.loadUintBig(64)
}

export function createGifts({ cast, faucet, dataOf, send, now, pending }: GiftParts): Gifts {
  /** The number given last, which no block may have yet. */
  let given = -1n

  async function deploy(contract: Deployment, what: keyof typeof DEPLOYERS): Promise<void> {
    if (dataOf(contract.address) !== null) return
    const by = cast.wallet(DEPLOYERS[what])
    const sends = [{ to: contract, value: coins(0.5), bounce: false }]
    await send(messageOf({ by, sends }, { data: dataOf(by.address), utime: now() }))
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
      await deploy(master, 'jetton')
      const { to: address, value, body } = minting(master, { to, amount, queryId: 0n, responseTo: faucet.address })
      await faucet.pay([{ to: address, amount: value, ...(body === undefined ? {} : { body }) }])
      return { master: master.address, wallet: jettonWallet(master.address, to).address }
    },
    async item(to) {
      const collection = demoCollection(cast)
      await deploy(collection, 'collection')
      const index = takeIndex(collection)
      const { to: address, value, body } = mintingItem(collection, index, to)
      await faucet.pay([{ to: address, amount: value, body }])
      return { collection: collection.address, item: nftItem(collection.address, index).address, index }
    },
  }
}
