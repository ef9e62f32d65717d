// Facts about accounts after each step of a batch that may not be written yet. A trace is classified with those of the step that
// completed it, so that its actions do not depend on how steps were divided into batches. The last row of an account says
// everything about it; for accounts without recent rows the store is read.

import { LRUCache } from 'lru-cache'
import { type AccountFacts, type AccountsFacts, gatherFacts, type TraceInput } from '../../actions/index.ts'
import { type BinaryHash, base64Of, hashFromBytes } from '../../cell/index.ts'
import { rawAddress, readAccountFacts, readData, toFacts } from '../../facts/index.ts'
import { lightInSlices, SlicedWork } from '../../fairness/index.ts'
import {
  type AccountFactsRow,
  type AccountRow,
  type CodeRow,
  type Database,
  factRows,
  groupBy,
  LONGEST_DATA,
  readInterfaces,
} from '../../store/index.ts'
import { isOlder } from '../accounts/isOlder.ts'
import type { DetectedAssets } from '../assets/detectAssets.ts'
import { JoinedReads } from './joinedReads.ts'

/** Accounts as a step left them. */
export interface StepAccounts {
  readonly accounts: readonly AccountRow[]
  /** What contracts are; null when they are not classified. */
  readonly found: ((account: BinaryHash) => DetectedAssets | undefined) | null
  /** Code of which more is known than its row says. */
  readonly codes: readonly CodeRow[]
}

/** Null for an unknown account. */
interface Known {
  readonly facts: AccountFacts | null
}

interface Version {
  readonly row: AccountRow
  /** Null when contracts are not classified: the store has the rest. */
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
  /** After the current batch. */
  readonly #known = new LRUCache<string, Known>({ maxSize: KEPT_BYTES, sizeCalculation: sizeOf })
  readonly #interfaces = new LRUCache<BinaryHash, readonly string[]>({ max: KEPT_CODES })
  readonly #stored: JoinedReads<AccountFacts | null>
  /** Of the accounts that the current batch changes, in the order of its steps. */
  #versions = new Map<string, Version[]>()
  /** The same accounts before it. */
  #before = new Map<string, Known>()

  /** `database` is read only when all rows but those taken last are written. */
  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database
    this.#stored = new JoinedReads((addresses) => this.#read(addresses))
  }

  /** Takes up the rows that are written next, as each step left them. */
  async take(codes: readonly CodeRow[], steps: readonly StepAccounts[]): Promise<void> {
    for (const { hash, interfaces } of [...codes, ...steps.flatMap((step) => step.codes)])
      this.#interfaces.set(hashFromBytes(hash), interfaces)
    await this.#learnInterfaces(steps.flatMap(({ accounts }) => accounts))
    this.#versions = new Map()
    this.#before = new Map()
    const slices = new SlicedWork()
    for (const { accounts, found } of steps)
      await lightInSlices(accounts, (row) => this.#add(rawAddress(row.account), this.#versionOf(row, found)), slices)
    const keep = ([name, versions]: readonly [string, readonly Version[]]): void => {
      const known = this.#known.get(name)
      if (known !== undefined) this.#before.set(name, known)
      const facts = versions.at(-1)?.facts ?? null
      if (facts === null) this.#known.delete(name)
      else this.#known.set(name, { facts })
    }
    await lightInSlices([...this.#versions], keep, slices)
  }

  #versionOf(row: AccountRow, found: StepAccounts['found']): Version {
    const parts = found && partsOf(found(hashFromBytes(row.account)) ?? {})
    return { row, facts: parts && toFacts({ ...this.#headOf(row), ...parts }) }
  }

  /** Of all accounts the traces name, and of the items owned by those that sell; the data of a few. */
  async of(traces: readonly TraceInput[]): Promise<(trace: TraceInput) => AccountsFacts> {
    const byStep = groupBy(traces, ({ mcSeqnoEnd }) => mcSeqnoEnd)
    const steps = [...byStep].map(async ([mcSeqno, own]) => {
      const facts = await gatherFacts(own, {
        facts: (addresses) => this.#factsOf(addresses, mcSeqno),
        data: (addresses) => this.#dataOf(addresses, mcSeqno),
      })
      return [mcSeqno, facts] as const
    })
    const found = new Map(await Promise.all(steps))
    return ({ mcSeqnoEnd }) => found.get(mcSeqnoEnd) ?? new Map()
  }

  /** A row that was completed late may come behind a newer one. */
  #add(name: string, version: Version): void {
    const versions = this.#versions.get(name)
    const last = versions?.at(-1)?.row
    if (versions === undefined) this.#versions.set(name, [version])
    else if (last === undefined || !isOlder(version.row, last)) versions.push(version)
  }

  #versionAt(name: string, mcSeqno: number): Version | undefined {
    return this.#versions.get(name)?.findLast(({ row }) => row.mcSeqno <= mcSeqno)
  }

  /** What the step itself ended is what it was before: its last trace is about that. */
  #lifeAt(name: string, mcSeqno: number): Version | undefined {
    const version = this.#versionAt(name, mcSeqno)
    const hasEnded = version !== undefined && version.row.status !== 'active' && version.row.mcSeqno === mcSeqno
    return hasEnded ? this.#versionAt(name, mcSeqno - 1) : version
  }

  async #factsOf(addresses: ReadonlySet<string>, mcSeqno: number): Promise<Map<string, AccountFacts>> {
    const found = new Map<string, AccountFacts>()
    const missing = new Set<string>()
    const set = (address: string, stored: AccountFacts | null): void => {
      const version = this.#lifeAt(address, mcSeqno)
      const facts = version === undefined ? stored : { ...stored, ...this.#codeFacts(version.row) }
      if (facts !== null) found.set(address, facts)
    }
    for (const address of addresses) {
      const facts = this.#lifeAt(address, mcSeqno)?.facts
      const known = this.#storedFacts(address).get(address)
      if (facts !== undefined && facts !== null) found.set(address, facts)
      else if (known === undefined) missing.add(address)
      else set(address, known.facts)
    }
    for (const [address, facts] of await this.#stored.read(missing)) {
      this.#storedFacts(address).set(address, { facts })
      set(address, facts)
    }
    return found
  }

  /** Cached facts as the store has them, before the current batch. */
  #storedFacts(address: string): Pick<Map<string, Known>, 'get'> & { set(address: string, known: Known): unknown } {
    return this.#versions.has(address) ? this.#before : this.#known
  }

  async #dataOf(addresses: ReadonlySet<string>, mcSeqno: number): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>()
    const missing = new Set<string>()
    for (const address of addresses) {
      const version = this.#versionAt(address, mcSeqno)
      if (version === undefined) missing.add(address)
      else if (isRead(version.row.data)) found.set(address, version.row.data)
    }
    if (missing.size === 0) return found
    const stored = await this.#database.transaction((sql) => readData(factRows(sql), missing))
    for (const [address, data] of stored) found.set(address, data)
    return found
  }

  async #read(addresses: ReadonlySet<string>): Promise<Map<string, AccountFacts | null>> {
    const found = new Map<string, AccountFacts | null>()
    for (const address of addresses) found.set(address, null)
    for (const [address, facts] of await this.#database.transaction((sql) =>
      readAccountFacts(factRows(sql), addresses),
    ))
      found.set(address, facts)
    return found
  }

  #codeFacts(row: AccountRow): Pick<AccountFacts, 'codeHash' | 'interfaces'> {
    const { codeHash, interfaces } = this.#headOf(row)
    return { interfaces, codeHash: codeHash && base64Of(codeHash) }
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

/** As from the store, where longer ones are left. */
const isRead = (data: Uint8Array | null): data is Uint8Array => data !== null && data.length <= LONGEST_DATA

function partsOf(found: DetectedAssets): Omit<AccountFactsRow, 'account' | 'codeHash' | 'interfaces'> {
  const { dedustPools: pool } = found
  return {
    jettonWallet: found.jettonWallets ?? null,
    nftItem: found.nftItems ?? null,
    sale: found.nftSales ?? null,
    orderSigners: found.multisigOrders?.signers ?? null,
    domain: found.dnsRecords?.domain ?? null,
    dedustAssets: pool === undefined ? null : [pool.asset1, pool.asset2],
  }
}
