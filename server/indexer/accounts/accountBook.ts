// Accounts after a step. A block shows the parts of an account that it changed; the rest comes from memory, from the
// store, or from the node, in this order. Each is checked against the hash in the block.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, type Cell, hashFromBytes } from '../../cell/index.ts'
import { holesIn, type ParsedAccount } from '../../facts/index.ts'
import { SlicedWork } from '../../fairness/index.ts'
import { type BlockIdExt, type Chain, LiteError, ProofError } from '../../node/index.ts'
import type { Log } from '../../observe/index.ts'
import {
  type AccountKey,
  type AccountRow,
  type AccountStateRow,
  type CodeRow,
  type Database,
  readAccountData,
} from '../../store/index.ts'
import { type Asking, askNode } from '../chain/asking.ts'
import type { ReadBlock, ReadStep } from '../chain/chainStep.ts'
import { upTo } from '../upTo.ts'
import { accountContent } from './accountContent.ts'
import { accountIdOf } from './accountIdOf.ts'
import { CodeLibrary } from './codeLibrary.ts'
import { completed, KnownData } from './knownData.ts'
import { type Lacking, LackingAccounts, newestAccount, sameHashOrNone } from './lackingAccounts.ts'
import type { CarriedLacks } from './lackSearch.ts'

export interface AccountBookParts extends Asking {
  readonly chain: Pick<Chain, 'account' | 'head' | 'traits'>
  readonly database: Pick<Database, 'read'>
  readonly log: Pick<Log, 'warn'>
  readonly carried: CarriedLacks
  readonly progress: { lacking: number }
}

export interface AccountRows {
  /** Each account once, as the step left it. */
  readonly accounts: readonly AccountRow[]
  readonly accountStates: readonly AccountStateRow[]
  readonly codes: readonly CodeRow[]
}

/** What the store is known to have before the first step. */
export interface KnownAtStart {
  /** Hashes of code, at most `KEPT_CODES`. */
  readonly codes: readonly Uint8Array[]
  /** Nothing was indexed yet, so there is nothing to look for. */
  readonly isEmpty: boolean
  /** Of the first step. */
  readonly firstSeqno: number
}

const KEPT_NEWEST = 50_000

interface Touched {
  readonly id: BlockIdExt
  /** Of the step. */
  readonly mcSeqno: number
  readonly facts: ParsedAccount
}

/** An account with its parts. */
interface Filled {
  readonly facts: ParsedAccount
  readonly state: AccountStateRow
  readonly data: Uint8Array | null
  readonly code: Cell | null
  /** Parts that exist and that no server returned. */
  readonly lacks: { readonly data: boolean; readonly code: boolean }
}

const NOTHING_LACKS = { data: false, code: false }

const statesBefore = (blocks: readonly ReadBlock[]): Set<BinaryHash> =>
  new Set(blocks.flatMap(({ facts }) => facts.transactions.map(({ stateBefore }) => hashFromBytes(stateBefore))))

/** A failure before it is awaited must not count as unhandled. */
function awaitedLater<T>(later: Promise<T>): Promise<T> {
  later.catch(() => undefined)
  return later
}

export class AccountBook {
  readonly #parts: AccountBookParts
  /** The state this process wrote last of an account: another one that it had before is new to the store, mostly. */
  readonly #newest = new LRUCache<BinaryHash, BinaryHash>(upTo(KEPT_NEWEST))
  readonly #codes: CodeLibrary
  readonly #data: KnownData
  /** Settles when all accounts of the step before were filled from its blocks. */
  #filled: Promise<unknown> = Promise.resolve()
  /** Accounts that are read from the node. */
  readonly #filling = new Map<BinaryHash, Promise<Filled | null>>()
  readonly #lacking: LackingAccounts

  constructor(parts: AccountBookParts, { codes, isEmpty, firstSeqno }: KnownAtStart) {
    this.#parts = parts
    const { carried, chain, progress } = parts
    this.#lacking = new LackingAccounts(parts, { firstSeqno, before: carried.lacking })
    carried.lacking = this.#lacking
    // The embedded chain has all states.
    if (isEmpty || chain.traits.firstSeqno !== null) carried.skipSearch()
    void carried.search(parts).then(() => {
      progress.lacking = carried.lacking?.count ?? 0
    })
    this.#codes = new CodeLibrary(parts.database.read, codes)
    this.#data = new KnownData(this.#codes, isEmpty)
  }

  /** Number of accounts indexed without data, code or their newest state, because no server had it any more. */
  get lacking(): number {
    return this.#lacking.count
  }

  async rowsOf({ master, shards }: ReadStep): Promise<AccountRows> {
    const mcSeqno = master.id.seqno
    const touched = [...shards, master].flatMap(({ id, facts }: ReadBlock) =>
      facts.accounts.map((account) => ({ id, mcSeqno, facts: account })),
    )
    for (const { facts } of touched)
      if (facts.state !== 'incomplete' && facts.code !== null && facts.code !== 'incomplete')
        this.#codes.bring(facts.code, mcSeqno)
    const recovered = this.#lacking.begin(
      mcSeqno,
      touched.map(({ facts }) => facts.account),
    )
    const filling = this.#fillAll(touched)
    this.#filled = filling.catch(() => undefined)
    const found = await Promise.all(await filling)
    this.#lacking.found(
      mcSeqno,
      touched.map(({ facts }, i) => [facts.account, found[i] !== null]),
    )
    const filled = found.filter((one) => one !== null)
    const codes = this.#codes.rowsOf(
      [...filled, ...recovered].map(({ code }) => code),
      mcSeqno,
    )
    const wanted = statesBefore([...shards, master])
    const last = new Map<BinaryHash, AccountRow>(recovered.map(({ row }) => [hashFromBytes(row.account), row]))
    const states = new Map<BinaryHash, AccountStateRow>()
    for (const { facts, state, data, lacks } of filled) {
      const { account, lastTxHash, lastTxLt } = facts
      const key = hashFromBytes(account)
      const row = { account, lastTxHash, lastTxLt, data, mcSeqno, ...state }
      last.set(key, row)
      if (lacks.data || lacks.code) this.#lacking.add({ row, lacksCode: lacks.code })
      const before = facts.before === null ? null : hashFromBytes(facts.before.hash)
      if (facts.before !== null && before !== null && wanted.has(before) && this.#newest.get(key) !== before)
        states.set(before, facts.before)
      if (state.status === 'nonexist') continue
      const hash = hashFromBytes(state.hash)
      states.set(hash, state)
      this.#newest.set(key, hash)
    }
    this.#lacking.look()
    return { accounts: [...last.values()], accountStates: [...states.values()], codes }
  }

  /** Loads from the store, in one query, what earlier processes wrote about these accounts. */
  async #recall(touched: readonly Touched[], slices: SlicedWork): Promise<void> {
    const { read } = this.#parts.database
    const accounts = new Map<BinaryHash, AccountKey>()
    const codes = new Map<BinaryHash, Uint8Array>()
    const referred: Uint8Array[] = []
    for (const { facts } of touched) {
      const { account, state, data, shownData, code } = facts
      if (data === 'incomplete' && shownData !== null) referred.push(...holesIn(shownData))
      if (state === 'incomplete') continue
      if (data === 'incomplete' && !this.#data.has(account) && (await this.#data.of(facts, state, slices)) === null)
        accounts.set(hashFromBytes(account), account)
      if (code !== null && state.codeHash !== null && !this.#codes.isStored(state.codeHash))
        codes.set(hashFromBytes(state.codeHash), state.codeHash)
    }
    await this.#codes.look([...codes.values()])
    if (accounts.size > 0 && !this.#data.hasAll)
      for (const { account, dataHash, data } of await readAccountData(read, [...accounts.values()]))
        this.#data.keep(account, { hash: dataHash, boc: data, mcSeqno: 0 })
    await this.#codes.load(referred)
  }

  /** Fills accounts in the order of steps: each needs the data that the step before it left. What is read from the node may come later. */
  async #fillAll(touched: readonly Touched[]): Promise<readonly (Filled | Promise<Filled | null>)[]> {
    const before = this.#filled
    const slices = new SlicedWork()
    await this.#recall(touched, slices)
    await before
    const filling: (Filled | Promise<Filled | null>)[] = []
    for (const one of touched) {
      if (slices.isDue) await slices.rest()
      const filled = this.#kept(await this.#fromBlock(one, slices), one)
      filling.push(filled ?? awaitedLater(this.#awaited(one, slices)))
    }
    return filling
  }

  /**
   * From the node, unless an earlier step that is being filled finds what is missing: each read would make the next step
   * read too, for as long as steps are prepared faster than the node answers.
   */
  async #awaited(touched: Touched, slices: SlicedWork): Promise<Filled | null> {
    const account = hashFromBytes(touched.facts.account)
    const earlier = this.#filling.get(account)
    const filling = (async () => {
      await earlier?.catch(() => null)
      const found = earlier === undefined ? null : await this.#fromBlock(touched, slices)
      return this.#kept(found ?? (await this.#read(touched, slices)), touched)
    })()
    this.#filling.set(account, filling)
    try {
      return await filling
    } finally {
      if (this.#filling.get(account) === filling) this.#filling.delete(account)
    }
  }

  /** Keeps the data of an account for the next steps. */
  #kept(filled: Filled | null, { mcSeqno, facts: { account } }: Touched): Filled | null {
    const dataHash = filled?.state.dataHash ?? null
    const data = filled?.data ?? null
    if (data !== null && dataHash !== null) this.#data.keep(account, { hash: dataHash, boc: data, mcSeqno })
    return filled
  }

  /** Without the node; null when something is missing. */
  async #fromBlock({ facts, mcSeqno }: Touched, slices: SlicedWork): Promise<Filled | null> {
    const { state, data, code } = facts
    if (state === 'incomplete') return null
    const whole = data === 'incomplete' ? await this.#data.of(facts, state, slices) : data
    if (data === 'incomplete' && whole === null) return null
    const isKnown = state.codeHash === null || this.#codes.isKnown(state.codeHash, mcSeqno)
    if (code === 'incomplete' && !isKnown) return null
    return { facts, state, data: whole, code: code === 'incomplete' ? null : code, lacks: NOTHING_LACKS }
  }

  /** From the state after the block; where servers have pruned it, from the newest one. Null when that is not enough for a row. */
  async #read({ id, facts }: Touched, slices: SlicedWork): Promise<Filled | null> {
    try {
      const name = accountIdOf(facts.account)
      const { shardAccount } = await askNode(this.#parts, (options) => this.#parts.chain.account(id, name, options))
      const cell = shardAccount?.account ?? null
      if (cell === null || !sameHashOrNone(cell.hashBytes(), facts.hash))
        throw new ProofError('account', 'another account state than the block leaves behind')
      return { facts, ...(await accountContent(cell, slices)), lacks: NOTHING_LACKS }
    } catch (error) {
      if (!(error instanceof LiteError && error.isMissing)) throw error
      return await this.#readNewest(facts, slices)
    }
  }

  /** What did not change since is the same in the newest state, which each server has. Rejects when none can be read. */
  async #readNewest(facts: ParsedAccount, slices: SlicedWork): Promise<Filled | null> {
    const { shardAccount } = await newestAccount(this.#parts, accountIdOf(facts.account))
    const now = shardAccount === null ? null : await accountContent(shardAccount.account, slices)
    if (now !== null && sameHashOrNone(now.state.hash, facts.hash)) return { facts, ...now, lacks: NOTHING_LACKS }
    const { state, shownData } = facts
    if (state === 'incomplete') return null
    const { dataHash, codeHash } = state
    const same = now !== null && sameHashOrNone(now.state.dataHash, dataHash) ? now.data : null
    const filled =
      now === null || now.data === null || shownData === null ? null : await completed(shownData, [now.data], slices)
    const data =
      (facts.data === 'incomplete' ? await this.#data.of(facts, state, slices) : facts.data) ?? same ?? filled
    const shown = facts.code === 'incomplete' ? null : facts.code
    const code = shown ?? (now !== null && sameHashOrNone(now.state.codeHash, codeHash) ? now.code : null)
    const isKnown = codeHash === null || this.#codes.isStored(codeHash)
    const lacks = { data: dataHash !== null && data === null, code: code === null && !isKnown }
    return { facts, state, data, code, lacks }
  }

  /** Keeps the data of accounts that no step brings. */
  born(rows: readonly AccountRow[]): void {
    for (const { account, dataHash, data } of rows)
      if (dataHash !== null && data !== null) this.#data.keep(account, { hash: dataHash, boc: data, mcSeqno: 0 })
  }

  /** Notes an account that is indexed without its data or code. */
  lacks(lacking: Lacking): void {
    this.#lacking.add(lacking)
  }

  /** Notes that these are in the store, with all steps up to this one. */
  written(codes: readonly CodeRow[], mcSeqno: number): void {
    this.#codes.written(codes)
    this.#lacking.written(mcSeqno)
  }
}
