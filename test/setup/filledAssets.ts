// Tokens, names, sales and shared wallets no one ever deployed, as many as requested, the same ones for the same seed. A
// few people have most of them, and equal balances, indexes and times are frequent, so that ties have to be broken.

import { beginCell, comment } from '@ton/core'
import type {
  AccountKey,
  ContentAttributes,
  DnsRecordRow,
  JettonMasterRow,
  JettonWalletRow,
  MultisigOrderRow,
  MultisigRow,
  NftCollectionRow,
  NftItemRow,
  NftSaleRow,
  VestingRow,
} from '../../server/store/index.ts'
import { type AssetRows, insertAssets } from './assetTables.ts'
import { keyOf } from './filledAccounts.ts'
import type { MemoryStore } from './memoryStore.ts'
import { Random } from './random.ts'

export interface AssetPlan {
  /** Of jetton wallets, of items, and of each kind of event; of the rest there are fewer. */
  readonly rows: number
  readonly people: number
  readonly seed?: number
}

const UTIME = 1_755_000_000
const PAYLOAD = comment('for lunch').toBoc()
const UNKNOWN_PAYLOAD = beginCell().storeUint(0x77777777, 32).endCell().toBoc()
const DAY = 86_400n

class FilledAssets {
  readonly people: readonly AccountKey[]
  readonly #random: Random
  #lt = 1000n

  constructor({ people, seed = 7 }: AssetPlan) {
    this.#random = new Random(seed)
    this.people = Array.from({ length: people }, () => this.#key())
  }

  #key = (): AccountKey => keyOf(this.#random.chance(0.05) ? -1 : 0, this.#random.hash())
  #person = (): AccountKey => this.people[this.#random.skewedBelow(this.people.length)] ?? this.#key()
  #maybe = <T>(make: () => T, share = 0.8): T | null => (this.#random.chance(share) ? make() : null)

  #contract(account = this.#key()) {
    const { hash } = this.#random
    this.#lt += BigInt(this.#random.below(3))
    return { account, codeHash: hash.call(this.#random), dataHash: hash.call(this.#random), lastTxLt: this.#lt }
  }

  #content(): ContentAttributes | null {
    return this.#random.pick<ContentAttributes | null>([
      null,
      { name: 'On chain', symbol: 'ON', decimals: '6' },
      { uri: `https://example.com/${this.#random.next()}.json` },
      { uri: 'https://example.com/half.json', name: 'Half on chain' },
    ])
  }

  master = (): JettonMasterRow => ({
    ...this.#contract(),
    totalSupply: BigInt(this.#random.next()) * 10n ** 9n,
    mintable: this.#random.chance(0.5),
    admin: this.#maybe(this.#person),
    content: this.#content(),
    walletCodeHash: this.#random.hash(),
    airdropRoot: null,
  })

  wallet = (jetton: AccountKey): JettonWalletRow => ({
    ...this.#contract(),
    balance: this.#random.pick([0n, 5n, BigInt(this.#random.next()), BigInt(this.#random.next()) * 10n ** 20n]),
    owner: this.#person(),
    jetton,
    claimed: null,
  })

  collection = (): NftCollectionRow => ({
    ...this.#contract(),
    owner: this.#maybe(this.#person),
    nextItemIndex: this.#random.pick([-1n, 100n]),
    content: this.#content(),
  })

  item = (collection: AccountKey | null): NftItemRow => ({
    ...this.#contract(),
    init: this.#random.chance(0.95),
    index: this.#random.chance(0.5)
      ? BigInt(this.#random.below(20))
      : BigInt(`0x${Buffer.from(this.#random.hash()).toString('hex')}`),
    collection,
    owner: this.#maybe(this.#person, 0.95),
    content: this.#content(),
  })

  /** An item that a contract sells, and the contract. */
  onSale(item: NftItemRow): [NftItemRow, NftSaleRow] {
    const kind = this.#random.pick(['sale', 'auction'] as const)
    const details = kind === 'sale' ? { is_complete: false, full_price: '5', royalty_address: null } : { end_time: 7 }
    const sale: NftSaleRow = {
      ...this.#contract(),
      kind,
      nft: item.account,
      nftOwner: this.#person(),
      marketplace: this.#maybe(this.#person),
      createdAt: this.#maybe(() => BigInt(UTIME)),
      details: JSON.stringify(details),
    }
    return [{ ...item, owner: sale.nftOwner === null ? item.owner : sale.account }, sale]
  }

  telemint(): NftSaleRow {
    const contract = this.#contract()
    const details = JSON.stringify({ token_name: 'alice', bid: '5', bidder_address: null })
    return {
      ...contract,
      kind: 'telemint',
      nft: contract.account,
      nftOwner: null,
      marketplace: null,
      createdAt: null,
      details,
    }
  }

  record(account: AccountKey): DnsRecordRow {
    const inAuction = this.#random.chance(0.4)
    const owner = inAuction ? null : this.#person()
    return {
      account,
      domain: `${Buffer.from(this.#random.hash())
        .toString('hex')
        .slice(0, 4 + this.#random.below(5))}.ton`,
      owner,
      wallet: this.#random.chance(0.5) ? owner : this.#maybe(this.#person),
      nextResolver: this.#maybe(this.#person, 0.2),
      siteAdnl: this.#maybe(() => this.#random.hash(), 0.3),
      storageBag: this.#maybe(() => this.#random.hash(), 0.3),
      maxBidder: inAuction ? this.#person() : null,
      maxBid: inAuction ? BigInt(this.#random.next()) : null,
      auctionEnd: inAuction ? BigInt(UTIME) + DAY * BigInt(this.#random.below(6) - 3) : null,
      lastFillUp: BigInt(UTIME),
      lastTxLt: 5n,
    }
  }

  multisig = (): MultisigRow => ({
    ...this.#contract(),
    nextOrderSeqno: this.#random.pick([-1n, 7n]),
    threshold: 2n,
    signers: [this.#person(), this.#person()],
    proposers: this.#random.chance(0.5) ? [this.#person()] : [],
  })

  order = ({ account, signers }: MultisigRow): MultisigOrderRow => ({
    ...this.#contract(),
    multisig: account,
    orderSeqno: BigInt(this.#random.below(1000)),
    threshold: 2n,
    sentForExecution: this.#random.chance(0.3),
    approvalsMask: 1n,
    approvalsNum: 1n,
    expirationDate: BigInt(UTIME + 3600),
    signers,
    order: UNKNOWN_PAYLOAD,
  })

  vesting = (): VestingRow => ({
    ...this.#contract(),
    startTime: BigInt(UTIME),
    totalDuration: 1000n,
    unlockPeriod: 10n,
    cliffDuration: 100n,
    totalAmount: 10n ** 12n,
    sender: this.#person(),
    owner: this.#person(),
    whitelist: this.#random.chance(0.3) ? [this.#person(), this.#person()] : [],
  })

  event() {
    this.#lt += BigInt(this.#random.below(2))
    return {
      txHash: this.#random.hash(),
      txLt: this.#lt,
      txNow: UTIME + Number(this.#lt / 20n),
      aborted: this.#random.chance(0.1),
      lateMcSeqno: null,
      traceId: this.#random.hash(),
      queryId: BigInt(this.#random.next()),
      responseDestination: this.#maybe(this.#person),
      customPayload: this.#maybe(() => UNKNOWN_PAYLOAD, 0.1),
    }
  }

  forward = () => ({ forwardPayload: this.#maybe(() => PAYLOAD, 0.5) })

  from = <T>(all: readonly T[]): T => {
    const one = all[this.#random.skewedBelow(all.length)]
    if (one === undefined) throw new Error('nothing to choose from')
    return one
  }

  person = this.#person
  maybe = this.#maybe
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

export function filledAssets(plan: AssetPlan): AssetRows {
  const { rows } = plan
  const few = Math.max(4, Math.floor(rows / 20))
  const make = new FilledAssets(plan)
  const masters = times(few, make.master)
  const wallets = times(rows, () => make.wallet(make.from(masters).account))
  const collections = times(few, make.collection)
  const made = times(rows, () => make.item(make.maybe(() => make.from(collections).account, 0.9)))
  const offered = made.map((item, i): [NftItemRow, NftSaleRow | null] =>
    i % 10 === 3 ? make.onSale(item) : [item, null],
  )
  const items = offered.map(([item]) => item)
  const sales = offered.flatMap(([, sale]) => sale ?? [])
  const multisigs = times(few, make.multisig)
  return {
    jettonMasters: masters,
    jettonWallets: wallets,
    nftCollections: collections,
    nftItems: items,
    nftSales: [...sales, ...times(3, () => make.telemint())],
    dnsRecords: items.slice(few, few + Math.floor(rows / 2)).map(({ account }) => make.record(account)),
    multisigs,
    multisigOrders: times(few * 3, () => make.order(make.from(multisigs))),
    vestings: times(few, make.vesting),
    dedustPools: [],
    jettonTransfers: times(rows, () => {
      const wallet = make.from(wallets)
      return {
        ...make.event(),
        source: wallet.owner,
        destination: make.person(),
        amount: 5n,
        sourceWallet: wallet.account,
        jetton: wallet.jetton,
        forwardTonAmount: make.maybe(() => 1n),
        ...make.forward(),
      }
    }),
    jettonBurns: times(rows, () => {
      const { owner, account: jettonWallet, jetton } = make.from(wallets)
      return { ...make.event(), owner, jettonWallet, jetton, amount: 7n }
    }),
    nftTransfers: times(rows, () => {
      const { account: nft, collection } = make.from(items)
      const ends = { oldOwner: make.person(), newOwner: make.person() }
      return { ...make.event(), nft, collection, ...ends, forwardAmount: make.maybe(() => 1n), ...make.forward() }
    }),
    metadata: [],
  }
}

export async function fillAssets(store: Pick<MemoryStore, 'transaction'>, plan: AssetPlan): Promise<AssetRows> {
  const rows = filledAssets(plan)
  await store.transaction((to) => insertAssets(to, rows))
  return rows
}
