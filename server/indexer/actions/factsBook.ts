// Facts about accounts after rows that may not be written yet. The last rows of an account say everything about it; for
// accounts without recent rows the store is read.

import { LRUCache } from 'lru-cache'
import { type AccountFacts, type AccountsFacts, gatherFacts, type TraceInput } from '../../actions/index.ts'
import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import { base64Of, rawAddress, readAccountFacts, readData, toFacts } from '../../facts/index.ts'
import {
  type AccountFactsRow,
  type AccountRow,
  type AssetRows,
  type Database,
  type DedustPoolRow,
  factRows,
  type MasterBlockRows,
  readInterfaces,
} from '../../store/index.ts'

/** Null for an unknown account. */
interface Known {
  readonly facts: AccountFacts | null
}

const KEPT_BYTES = 16 << 20
const KEPT_CODES = 10_000
/** About what facts without texts take. */
const LEAST_BYTES = 400

function sizeOf({ facts }: Known): number {
  const texts = Object.values(facts?.nftItem?.content ?? {})
  return texts.reduce<number>((sum, text) => sum + 2 * String(text).length, LEAST_BYTES)
}

export class FactsBook {
  readonly #database: Pick<Database, 'transaction'>
  readonly #known = new LRUCache<string, Known>({ maxSize: KEPT_BYTES, sizeCalculation: sizeOf })
  readonly #interfaces = new LRUCache<BinaryHash, readonly string[]>({ max: KEPT_CODES })
  #atHand: ReadonlyMap<string, AccountRow> = new Map()
  /** Rows of the current batch without the kinds of their contracts. */
  #halves: ReadonlyMap<string, AccountRow> = new Map()

  /** `database` is read only when all rows but those taken last are written. */
  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database
  }

  /** Takes up the rows that are written next. */
  async take({ accounts, codes, assets }: MasterBlockRows): Promise<void> {
    for (const { hash, interfaces } of codes) this.#interfaces.set(hashFromBytes(hash), interfaces)
    await this.#learnInterfaces(accounts)
    const byName = new Map(accounts.map((row) => [rawAddress(row.account), row]))
    this.#atHand = byName
    this.#halves = assets === undefined ? byName : new Map()
    const partsOf = assets === undefined ? null : partsIn(assets)
    for (const [name, row] of byName)
      if (partsOf === null) this.#known.delete(name)
      else this.#known.set(name, { facts: toFacts({ ...this.#headOf(row), ...partsOf(name) }) })
  }

  /** Of all accounts the traces name, and of the items owned by those that sell; the data of a few. */
  of(traces: readonly TraceInput[]): Promise<AccountsFacts> {
    return gatherFacts(traces, {
      facts: (addresses) => this.#factsOf(addresses),
      data: (addresses) => this.#dataOf(addresses),
    })
  }

  async #factsOf(addresses: ReadonlySet<string>): Promise<Map<string, AccountFacts>> {
    const found = new Map<string, AccountFacts>()
    const missing = new Set<string>()
    for (const address of addresses) {
      const known = this.#known.get(address)
      if (known === undefined) missing.add(address)
      else if (known.facts !== null) found.set(address, known.facts)
    }
    for (const [address, facts] of await this.#read(missing)) {
      if (facts !== null) found.set(address, facts)
      this.#known.set(address, { facts })
    }
    return found
  }

  async #dataOf(addresses: ReadonlySet<string>): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>()
    const missing = new Set<string>()
    for (const address of addresses) {
      const row = this.#atHand.get(address)
      if (row === undefined) missing.add(address)
      else if (row.data !== null) found.set(address, row.data)
    }
    if (missing.size === 0) return found
    const stored = await this.#database.transaction((sql) => readData(factRows(sql), missing))
    for (const [address, data] of stored) found.set(address, data)
    return found
  }

  async #read(addresses: ReadonlySet<string>): Promise<Map<string, AccountFacts | null>> {
    const found = new Map<string, AccountFacts | null>()
    if (addresses.size === 0) return found
    for (const address of addresses) found.set(address, null)
    for (const [address, facts] of await this.#database.transaction((sql) =>
      readAccountFacts(factRows(sql), addresses),
    ))
      found.set(address, facts)
    for (const address of addresses) {
      const half = this.#halves.get(address)
      if (half === undefined) continue
      const { codeHash, interfaces } = this.#headOf(half)
      found.set(address, { ...found.get(address), interfaces, codeHash: codeHash && base64Of(codeHash) })
    }
    return found
  }

  #headOf({ account, codeHash }: AccountRow): Pick<AccountFactsRow, 'account' | 'codeHash' | 'interfaces'> {
    const interfaces = codeHash === null ? [] : (this.#interfaces.get(hashFromBytes(codeHash)) ?? [])
    return { account, codeHash, interfaces }
  }

  /** Loads from the store the code that is not among the rows. */
  async #learnInterfaces(accounts: readonly AccountRow[]): Promise<void> {
    const missing = new Map<BinaryHash, Uint8Array>()
    for (const { codeHash } of accounts)
      if (codeHash !== null && !this.#interfaces.has(hashFromBytes(codeHash)))
        missing.set(hashFromBytes(codeHash), codeHash)
    if (missing.size === 0) return
    const found = await this.#database.transaction((sql) => readInterfaces(sql, [...missing.values()]))
    for (const { hash, interfaces } of found) this.#interfaces.set(hashFromBytes(hash), interfaces)
  }
}

type Parts = Omit<AccountFactsRow, 'account' | 'codeHash' | 'interfaces'>

/** What contracts were found to be, by their addresses. */
function partsIn({ found }: Pick<AssetRows, 'found'>): (address: string) => Parts {
  const wallets = new Map(found.jettonWallets.map((row) => [rawAddress(row.account), row]))
  const items = new Map(found.nftItems.map((row) => [rawAddress(row.account), row]))
  const sales = new Map(found.nftSales.map((row) => [rawAddress(row.account), row]))
  const orders = new Map(found.multisigOrders.map((row) => [rawAddress(row.account), row]))
  const names = new Map(found.dnsRecords.map((row) => [rawAddress(row.account), row]))
  const pools = new Map(found.dedustPools.map((row) => [rawAddress(row.account), row]))
  const assetsOf = (row: DedustPoolRow | undefined) => (row === undefined ? null : [row.asset1, row.asset2])
  return (address) => ({
    jettonWallet: wallets.get(address) ?? null,
    nftItem: items.get(address) ?? null,
    sale: sales.get(address) ?? null,
    orderSigners: orders.get(address)?.signers ?? null,
    domain: names.get(address)?.domain ?? null,
    dedustAssets: assetsOf(pools.get(address)),
  })
}
