// A chain filled with thousands of transactions, in a mix as real chains have it: coins and texts, jettons and items going
// round, domains put to auction, contracts deployed, requests that are refused. The same seed makes the same messages.

import { type Cell, writeBoc } from '../../server/cell/index.ts'
import {
  dnsOpenAuctionBody,
  dnsZone,
  jettonBurnBody,
  jettonMasterInit,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletInit,
  linkPart,
  marketplace,
  nftCollectionInit,
  nftItemInit,
  nftMintBatchBody,
  nftTransferBody,
  offChainContent,
  onChainContent,
} from '../../server/demo/contracts/index.ts'
import { createCast, scriptCoins } from '../../server/demo/index.ts'
import {
  furtherWallet,
  USUAL_MODE,
  type WellKnownAccount,
  walletRequest,
} from '../../server/devchain/accounts/index.ts'
import {
  commentBody,
  type Deployment,
  type OutgoingMessage,
  outgoingMessage,
} from '../../server/devchain/contracts/index.ts'
import type { Devchain } from '../../server/devchain/index.ts'

export interface LoadOptions {
  /** At least so many are made; hardly more, as the last messages are as many as are needed. */
  readonly transactions: number
  readonly seed: number
  /** Wallets that take part; 100 when absent. */
  readonly wallets?: number
}

export interface Load {
  /** Of all blocks since the load began. */
  readonly transactions: number
  readonly messages: number
  readonly owners: readonly WellKnownAccount[]
  readonly jetton: Deployment
  readonly collection: Deployment
}

/** So many messages one wallet sends at once. */
const MOST_SENDS = 6
const JETTONS = 1_000_000n
const NEVER = 0xffff_ffff

/** Numbers from 0 up to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}

/** Wallets that know what each of them may send next. */
export class Crowd {
  readonly owners: readonly WellKnownAccount[]
  readonly jetton: Deployment
  readonly collection: Deployment
  readonly zone = dnsZone(onChainContent({ name: 'Domains of the load' }))
  readonly #random: () => number
  readonly #seqnos = new Map<WellKnownAccount, number>()
  /** Owner of each item, by its number. */
  readonly #items: number[]
  #count = 0

  constructor(globalId: number, { seed, wallets = 100 }: LoadOptions) {
    const source = createCast(globalId).wallet(8)
    this.#random = randomFrom(seed)
    this.owners = Array.from({ length: wallets }, (_, number) => furtherWallet(source, globalId, 1000 + number))
    const [{ address: admin } = source] = this.owners
    this.jetton = jettonMasterInit({
      admin,
      content: onChainContent({ name: `Load ${seed}`, symbol: 'LOAD', decimals: '0' }),
    })
    this.collection = nftCollectionInit({
      owner: admin,
      content: offChainContent(`https://load.invalid/${seed}.json`),
      commonLink: 'https://load.invalid/',
      royalty: { numerator: 1, denominator: 100, destination: admin },
    })
    this.#items = Array.from({ length: Math.min(wallets, 250) }, (_, number) => number)
  }

  #pick(count: number): number {
    return Math.floor(this.#random() * count)
  }

  owner(number: number): WellKnownAccount {
    const found = this.owners[number % this.owners.length]
    if (found === undefined) throw new RangeError('A load needs wallets')
    return found
  }

  signed(owner: WellKnownAccount, sends: readonly OutgoingMessage[]): Uint8Array {
    const seqno = this.#seqnos.get(owner) ?? 0
    this.#seqnos.set(owner, seqno + 1)
    const messages = sends.map((send) => ({ mode: USUAL_MODE, message: outgoingMessage(send) }))
    return writeBoc(walletRequest(owner, { seqno, validUntil: NEVER, messages }))
  }

  /** What has to be there: jettons and items for everybody. */
  *beginnings(): Generator<Uint8Array> {
    const admin = this.owner(0)
    yield this.signed(admin, [
      { to: this.jetton, value: scriptCoins(1), bounce: false },
      { to: this.collection, value: scriptCoins(1), bounce: false },
      { to: this.zone, value: scriptCoins(1), bounce: false },
    ])
    const content = (number: number): Cell => linkPart(`${number}.json`)
    const made = this.#items.map((number) => ({
      owner: this.owner(number).address,
      content: content(number),
      value: scriptCoins(0.05),
    }))
    const batch = {
      to: this.collection.address,
      value: scriptCoins(0.1) * BigInt(made.length),
      body: nftMintBatchBody(1n, 0n, made),
    }
    yield this.signed(admin, [batch])
    for (let from = 0; from < this.owners.length; from += 200) {
      const mints = this.owners.slice(from, from + 200).map(({ address }) => ({
        to: this.jetton.address,
        value: scriptCoins(0.2),
        body: jettonMintBody({
          queryId: 1n,
          to: address,
          amount: JETTONS,
          responseTo: admin.address,
          value: scriptCoins(0.1),
        }),
      }))
      yield this.signed(admin, mints)
    }
  }

  /** One signed message of each wallet, or of the first ones. */
  round(wallets = this.owners.length): Uint8Array[] {
    return this.owners.slice(0, wallets).map((owner, number) => {
      const sends = Array.from({ length: 1 + this.#pick(MOST_SENDS) }, () => this.#something(owner, number))
      return this.signed(owner, sends)
    })
  }

  #something(from: WellKnownAccount, number: number): OutgoingMessage {
    const kind = this.#random()
    const { address: to } = this.owner(this.#pick(this.owners.length))
    const count = ++this.#count
    if (kind < 0.25) return this.#jettons(from, { to, amount: BigInt(1 + this.#pick(100)), note: kind < 0.1 })
    if (kind < 0.29) return this.#jettons(from, { to, amount: JETTONS * 1000n, note: false })
    if (kind < 0.33)
      return { ...this.#jettonsOf(from), body: jettonBurnBody({ queryId: 3n, amount: 1n, responseTo: from.address }) }
    if (kind < 0.42) return this.#item(from, number)
    if (kind < 0.46) return { to: marketplace(count), value: scriptCoins(0.1), bounce: false }
    if (kind < 0.48)
      return { to: this.zone.address, value: scriptCoins(1.5), body: dnsOpenAuctionBody(`domain-of-load-${count}`) }
    if (kind < 0.52)
      return {
        to: { workchain: 0, hash: outgoingMessage({ to, value: BigInt(count) }).hashBytes() },
        value: scriptCoins(0.1),
      }
    const text = kind < 0.6 ? `A long text, number ${count}. `.repeat(20) : `Payment ${count}`
    return {
      to,
      value: scriptCoins(0.01 + this.#random() / 10),
      bounce: false,
      ...(kind < 0.9 ? { body: commentBody(text) } : {}),
    }
  }

  #jettonsOf({ address }: WellKnownAccount) {
    return { to: jettonWalletInit(this.jetton.address, address).address, value: scriptCoins(0.2) }
  }

  #jettons(from: WellKnownAccount, { to, amount, note }: { to: OutgoingMessage['to']; amount: bigint; note: boolean }) {
    const forward = note
      ? {
          forwardAmount: scriptCoins(0.01),
          forwardPayload: { form: 'inline', cell: commentBody('A jetton for you') } as const,
        }
      : {}
    const address = 'address' in to ? to.address : to
    const body = jettonTransferBody({ queryId: 2n, amount, to: address, responseTo: from.address, ...forward })
    return { ...this.#jettonsOf(from), body }
  }

  /** Gives away an item the sender has, or tries to give one that is another one's. */
  #item(from: WellKnownAccount, number: number): OutgoingMessage {
    const held = this.#items.indexOf(number)
    const index = held < 0 ? this.#pick(this.#items.length) : held
    const next = this.#pick(this.owners.length)
    if (held >= 0) this.#items[held] = next
    const body = nftTransferBody({ queryId: 4n, to: this.owner(next).address, responseTo: from.address })
    return { to: nftItemInit(this.collection.address, BigInt(index)).address, value: scriptCoins(0.2), body }
  }
}

/** Puts its wallets on a chain, with TON for a long time. */
export async function endow(control: Devchain['control'], { owners }: Crowd): Promise<void> {
  const patches = owners.map(({ address, code, data }) =>
    control.setAccount({ workchain: 0, id: address.hash, balance: scriptCoins(100_000), code, data }),
  )
  await Promise.all(patches)
}

/** Fills a chain whose mining is `auto`. Rejects when a message is refused. */
export async function fillChain(chain: Devchain, options: LoadOptions): Promise<Load> {
  const crowd = new Crowd(chain.globalId, options)
  let transactions = 0
  let messages = 0
  let newest = 0
  const forget = chain.onHead(({ master, shard }) => {
    newest = shard?.transactions ?? 0
    transactions += master.transactions + newest
  })
  /** What messages lead to: blocks are bounded in time, so a slow machine needs more of them. */
  const settle = async (): Promise<void> => {
    await chain.control.mine(3)
    while (newest > 0) await chain.control.mine(1)
  }
  await endow(chain.control, crowd)
  for (const message of crowd.beginnings()) await chain.send(message)
  await settle()
  const begun = transactions
  while (transactions < options.transactions) {
    const perMessage = messages === 0 ? 1 : (transactions - begun) / messages
    // Before what it leads to is counted, a round that is not needed would be sent.
    const round = crowd.round(Math.ceil((options.transactions - transactions) / perMessage))
    messages += round.length
    await Promise.all(round.map((message) => chain.send(message)))
    await settle()
  }
  forget()
  const { owners, jetton, collection } = crowd
  return { transactions, messages, owners, jetton, collection }
}
