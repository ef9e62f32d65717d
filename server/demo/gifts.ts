// Mints the demo jetton and items of the demo collection for any account. Missing contracts are deployed first.

import { type Cell, openCell } from '../cell/index.ts'
import {
  type AccountAddress,
  type AccountName,
  BASECHAIN,
  type Caused,
  checkAmount,
  createFaucet,
  type Deployment,
  type Devchain,
  dataAt,
  Turns,
} from '../devchain/index.ts'
import { createCast } from './cast.ts'
import { jettonWalletInit, nftItemInit } from './contracts/index.ts'
import { demoCollection, mintingItem } from './parts/items.ts'
import { demoJetton, minting } from './parts/jettons.ts'
import { type ScriptSending, scriptCoins } from './script.ts'

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
  /** Mints the demo jetton; `amount` is in its smallest units. Resolves as the faucet of the chain's control does. */
  jetton(to: AccountName, amount: bigint): Promise<JettonGift & Caused>
  /** Mints the next item of the demo collection. Resolves as `jetton`. */
  nft(to: AccountName): Promise<ItemGift & Caused>
}

const DEPLOYMENT_VALUE = scriptCoins(0.5)

/** The index of the next item, read from the data of a collection. */
function nextIndex(data: Cell): bigint {
  const slice = openCell(data)
  // The owner: an ordinary address, always of 267 bits.
  slice.loadBits(267)
  return slice.loadUintBig(64)
}

const nameOf = ({ workchain, hash }: AccountAddress): AccountName => ({ workchain, id: hash })

/** Owners of jettons and items are in the basechain. */
function checkOwner({ workchain, id }: AccountName): AccountAddress {
  if (workchain !== BASECHAIN) throw new RangeError(`Tokens are for accounts of the basechain, not of ${workchain}`)
  return { workchain, hash: id }
}

/** Gifts wait until the demo has been played. */
export function createGifts(chain: Pick<Devchain, 'globalId' | 'control' | 'send' | 'reader' | 'player'>): Gifts {
  const { control, reader, player } = chain
  const cast = createCast(chain.globalId)
  const faucet = createFaucet({
    send: async (boc) => {
      await chain.send(boc)
    },
    now: () => control.state().upcomingUtime,
  })
  const turns = new Turns()
  /** The last index that was given away; its item may not be in a block yet. */
  let given = -1n

  const seqno = () => control.state().head.master.seqno
  const dataOf = (account: AccountAddress): Cell | null => dataAt(reader.moment(), account)

  /** An internal message instead of a wallet's: the wallet may be in use, and internal messages come first in a block. */
  function ensure({ address, code, data }: Deployment): void {
    if (dataOf(address) !== null) return
    const init = { fixedPrefixLength: null, special: null, code, data, library: null }
    const message = { from: nameOf(faucet.address), to: nameOf(address), value: DEPLOYMENT_VALUE, init, bounce: false }
    void control.sendInternal(message).catch(() => undefined)
  }

  function takeIndex(collection: Deployment): bigint {
    const data = dataOf(collection.address)
    const next = data === null ? 0n : nextIndex(data)
    given = control.state().pending > 0 && given >= next ? given + 1n : next
    return given
  }

  /** Resolves with the faucet's message when the chain has accepted it. */
  async function pay({ to, value, body }: ScriptSending & { readonly to: AccountAddress }): Promise<Cell | undefined> {
    const [request] = await faucet.pay([{ to, amount: value, ...(body === undefined ? {} : { body }) }])
    return request
  }

  const follow = (request: Cell | undefined, since: number, target: AccountAddress): Promise<Caused> =>
    request === undefined
      ? Promise.resolve({ txHash: null, traceId: null, pending: 1 })
      : control.follow({ root: request.hash(), since, target: nameOf(target) })

  return {
    async jetton(name, amount) {
      await player.over
      checkAmount(amount)
      const since = seqno()
      const to = checkOwner(name)
      const master = demoJetton(cast)
      ensure(master)
      const request = await pay(minting(master, { to, amount, queryId: 0n, responseTo: faucet.address }))
      const wallet = jettonWalletInit(master.address, to).address
      return { master: master.address, wallet, ...(await follow(request, since, wallet)) }
    },
    async nft(name) {
      await player.over
      const since = seqno()
      const to = checkOwner(name)
      // One at a time: the next index is known when the previous item is in a block or pending.
      const { request, ...gift } = await turns.take(async () => {
        const collection = demoCollection(cast)
        ensure(collection)
        const index = takeIndex(collection)
        const request = await pay(mintingItem(collection, index, to))
        return { request, collection: collection.address, item: nftItemInit(collection.address, index).address, index }
      })
      return { ...gift, ...(await follow(request, since, gift.item)) }
    },
  }
}
