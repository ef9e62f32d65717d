// Accounts after a step. A block shows the parts of an account that it changed; the rest comes from memory, from the
// store, or from the node, in this order. Each is checked against the hash in the block.

import { LRUCache } from 'lru-cache'
import { type Cell, type Hash, hashFromBytes } from '../../cell/index.ts'
import { type AccountFacts, accountContent, codeRow, completeData, holesIn } from '../../facts/index.ts'
import { type AccountId, type BlockIdExt, type Chain, LiteError, ProofError } from '../../node/index.ts'
import {
  type AccountKey,
  type AccountRow,
  type AccountStateRow,
  type CodeRow,
  type Database,
  readAccountData,
  readCodes,
  readKnownCodes,
} from '../../store/index.ts'
import type { Lanes } from '../chain/lanes.ts'
import type { ReadBlock, Step } from '../chain/step.ts'
import { upTo } from '../upTo.ts'
import { LackingAccounts, newestAccount } from './lackingAccounts.ts'

export interface AccountBookParts {
  readonly chain: Pick<Chain, 'account' | 'head'>
  readonly database: Pick<Database, 'read'>
  readonly lanes: Lanes
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface AccountRows {
  /** Each account once, as the step left it. */
  readonly accounts: readonly AccountRow[]
  readonly accountStates: readonly AccountStateRow[]
  readonly codes: readonly CodeRow[]
}

/** What the store is known to have before the first step is looked at. */
export interface KnownAtStart {
  /** Hashes of code, at most `KEPT_CODES`. */
  readonly codes: readonly Uint8Array[]
  /** Nothing was indexed yet, so there is nothing to look for. */
  readonly isEmpty: boolean
  /** Of the first step. */
  readonly firstSeqno: number
}

const KEPT_BYTES = 32 * 1024 * 1024
export const KEPT_CODES = 100_000
const KEPT_STATES = 50_000
const KEPT_CODE_BYTES = 8 * 1024 * 1024

interface Touched {
  readonly id: BlockIdExt
  readonly facts: AccountFacts
}

/** An account whose parts are known, or will be by asking the node. */
interface Filled {
  readonly facts: AccountFacts
  readonly state: AccountStateRow
  readonly data: Uint8Array | null
  readonly code: Cell | null
  /** What is known to be there and cannot be had. */
  readonly lacks: { readonly data: boolean; readonly code: boolean }
}

const NOTHING_LACKS = { data: false, code: false }

const sameHash = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0

const statesBefore = (blocks: readonly ReadBlock[]): Set<Hash> =>
  new Set(blocks.flatMap(({ facts }) => facts.transactions.map(({ stateBefore }) => hashFromBytes(stateBefore))))

export const accountIdOf = (key: AccountKey): AccountId => ({ workchain: (key[0] ?? 0) - 128, hash: key.subarray(1) })

export class AccountBook {
  readonly #parts: AccountBookParts
  readonly #data = new LRUCache<Hash, { readonly hash: Uint8Array; readonly boc: Uint8Array }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ boc }) => boc.length + 256,
    dispose: (_value, _key, reason) => {
      if (reason === 'evict') this.#hasAllData = false
    },
  })
  readonly #codes = new LRUCache<Hash, true>({
    dispose: (_value, _key, reason) => {
      if (reason === 'evict') this.#hasAllCodes = false
    },
    ...upTo(KEPT_CODES),
  })
  /** They count as known once they are written; until then another step may bring them again. */
  readonly #unwritten = new Map<Hash, CodeRow>()
  /** States this process has written. One that an account had before and that is not here is new to the store, mostly. */
  readonly #states = new LRUCache<Hash, true>(upTo(KEPT_STATES))
  /** Code that data of accounts refers to, by its hash. */
  readonly #codeBocs = new LRUCache<Hash, Uint8Array>({
    maxSize: KEPT_CODE_BYTES,
    sizeCalculation: (boc) => boc.length + 256,
  })
  readonly #lacking: LackingAccounts
  // What is not here is not in the store either: so a fast run does not wait for its own writing.
  #hasAllData: boolean
  #hasAllCodes: boolean

  constructor(parts: AccountBookParts, { codes, isEmpty, firstSeqno }: KnownAtStart) {
    this.#parts = parts
    this.#lacking = new LackingAccounts(parts, accountIdOf, firstSeqno)
    this.#hasAllData = isEmpty
    this.#hasAllCodes = codes.length < KEPT_CODES
    for (const hash of codes) this.#codes.set(hashFromBytes(hash), true)
  }

  /** Accounts that are indexed without data or code, which no server has any more. */
  get lacking(): number {
    return this.#lacking.count
  }

  async rowsOf({ master, shards }: Step): Promise<AccountRows> {
    const mcSeqno = master.id.seqno
    const touched = [...shards, master].flatMap(({ id, facts }: ReadBlock) =>
      facts.accounts.map((account) => ({ id, facts: account })),
    )
    const recovered = this.#lacking.begin(
      mcSeqno,
      touched.map(({ facts }) => facts.account),
    )
    await this.#recall(touched)
    const filled = (await Promise.all(touched.map((one) => this.#fill(one)))).filter((one) => one !== null)
    const codes = this.#newCodes([...filled, ...recovered])
    const wanted = statesBefore([...shards, master])
    const last = new Map<Hash, AccountRow>(recovered.map(({ row }) => [hashFromBytes(row.account), row]))
    const states = new Map<Hash, AccountStateRow>()
    for (const { facts, state, data, lacks } of filled) {
      const { account, lastTxHash, lastTxLt } = facts
      const row = { account, lastTxHash, lastTxLt, data, mcSeqno, ...state }
      last.set(hashFromBytes(account), row)
      if (lacks.data || lacks.code) this.#lacking.add({ row, lacksCode: lacks.code })
      const before = facts.before === null ? null : hashFromBytes(facts.before.hash)
      if (facts.before !== null && before !== null && wanted.has(before) && !this.#states.has(before))
        states.set(before, facts.before)
      if (state.status === 'nonexist') continue
      states.set(hashFromBytes(state.hash), state)
      this.#states.set(hashFromBytes(state.hash), true)
    }
    this.#lacking.look()
    return { accounts: [...last.values()], accountStates: [...states.values()], codes }
  }

  /** Loads from the store, in one query, what earlier processes wrote about these accounts. */
  async #recall(touched: readonly Touched[]): Promise<void> {
    const { read } = this.#parts.database
    const accounts = new Map<Hash, AccountKey>()
    const codes = new Map<Hash, Uint8Array>()
    for (const { facts } of touched) {
      const { account, state, data, code } = facts
      if (state === 'incomplete') continue
      if (data === 'incomplete' && this.#recalled(facts, state) === null) accounts.set(hashFromBytes(account), account)
      if (code !== null && state.codeHash !== null && !this.#codes.has(hashFromBytes(state.codeHash)))
        codes.set(hashFromBytes(state.codeHash), state.codeHash)
    }
    if (codes.size > 0 && !this.#hasAllCodes)
      for (const hash of await readKnownCodes(read, [...codes.values()])) this.#codes.set(hashFromBytes(hash), true)
    if (accounts.size > 0 && !this.#hasAllData)
      for (const { account, dataHash, data } of await readAccountData(read, [...accounts.values()]))
        this.#keep(account, dataHash, data)
    await this.#recallCode(touched)
  }

  /** Loads code that data which is not shown whole may refer to. */
  async #recallCode(touched: readonly Touched[]): Promise<void> {
    const wanted = new Map<Hash, Uint8Array>()
    for (const { facts } of touched)
      if (facts.data === 'incomplete' && facts.shownData !== null)
        for (const hash of holesIn(facts.shownData)) {
          const name = hashFromBytes(hash)
          const unwritten = this.#unwritten.get(name)
          if (unwritten !== undefined) this.#codeBocs.set(name, unwritten.boc)
          else if (this.#codes.has(name) && !this.#codeBocs.has(name)) wanted.set(name, hash)
        }
    if (wanted.size === 0) return
    for (const { hash, boc } of await readCodes(this.#parts.database.read, [...wanted.values()]))
      this.#codeBocs.set(hashFromBytes(hash), boc)
  }

  #keep(account: AccountKey, hash: Uint8Array, boc: Uint8Array): void {
    this.#data.set(hashFromBytes(account), { hash, boc })
  }

  /** The data of an account from its last known row: unchanged data, or the shown data with its holes filled. */
  #recalled({ account, shownData }: AccountFacts, { dataHash }: AccountStateRow): Uint8Array | null {
    const kept = this.#data.get(hashFromBytes(account))
    if (kept !== undefined && sameHash(kept.hash, dataHash)) return kept.boc
    if (shownData === null) return null
    const codes = holesIn(shownData).flatMap((hash) => this.#codeBocs.get(hashFromBytes(hash)) ?? [])
    const known = kept === undefined ? codes : [kept.boc, ...codes]
    return known.length === 0 ? null : completeData(shownData, known)
  }

  async #fill({ id, facts }: Touched): Promise<Filled | null> {
    const filled = this.#fromBlock(facts) ?? (await this.#read(id, facts))
    const data = filled?.data ?? null
    if (data !== null && filled?.state.dataHash != null) this.#keep(facts.account, filled.state.dataHash, data)
    return filled
  }

  /** Without asking; null when something is missing. */
  #fromBlock(facts: AccountFacts): Filled | null {
    const { state, data, code } = facts
    if (state === 'incomplete') return null
    const whole = data === 'incomplete' ? this.#recalled(facts, state) : data
    if (data === 'incomplete' && whole === null) return null
    const isKnown = state.codeHash === null || this.#codes.has(hashFromBytes(state.codeHash))
    if (code === 'incomplete' && !isKnown) return null
    return { facts, state, data: whole, code: code === 'incomplete' ? null : code, lacks: NOTHING_LACKS }
  }

  /** From the state after the block; where that is gone, what can be had. Null when not even a row can be made of it. */
  async #read(id: BlockIdExt, facts: AccountFacts): Promise<Filled | null> {
    const { chain, lanes, timeoutMs, signal } = this.#parts
    try {
      const name = accountIdOf(facts.account)
      const { shardAccount } = await lanes.run(() => chain.account(id, name, { timeoutMs, signal }))
      const cell = shardAccount?.account ?? null
      if (cell === null || !sameHash(cell.hashBytes(), facts.hash))
        throw new ProofError('account', 'another account state than the block leaves behind')
      return { facts, ...accountContent(cell), lacks: NOTHING_LACKS }
    } catch (error) {
      if (!(error instanceof LiteError && error.isMissing)) throw error
      return await this.#readNewest(facts)
    }
  }

  /** What did not change since is the same in the newest state, which each server has. Rejects when none can be read. */
  async #readNewest(facts: AccountFacts): Promise<Filled | null> {
    const { shardAccount } = await newestAccount(this.#parts, accountIdOf(facts.account))
    const now = shardAccount === null ? null : accountContent(shardAccount.account)
    if (now !== null && sameHash(now.state.hash, facts.hash)) return { facts, ...now, lacks: NOTHING_LACKS }
    const { state, shownData } = facts
    if (state === 'incomplete') {
      this.#lacking.leaveOut()
      return null
    }
    const { dataHash, codeHash } = state
    const same = now !== null && sameHash(now.state.dataHash, dataHash) ? now.data : null
    const filled = now === null || now.data === null || shownData === null ? null : completeData(shownData, [now.data])
    const data = (facts.data === 'incomplete' ? this.#recalled(facts, state) : facts.data) ?? same ?? filled
    const shown = facts.code === 'incomplete' ? null : facts.code
    const code = shown ?? (now !== null && sameHash(now.state.codeHash, codeHash) ? now.code : null)
    const isKnown = codeHash === null || this.#codes.has(hashFromBytes(codeHash))
    const lacks = { data: dataHash !== null && data === null, code: code === null && !isKnown }
    return { facts, state, data, code, lacks }
  }

  #newCodes(filled: readonly { readonly code: Cell | null }[]): CodeRow[] {
    const rows = new Map<Hash, CodeRow>()
    for (const { code } of filled) {
      if (code === null || this.#codes.has(code.hash())) continue
      const row = this.#unwritten.get(code.hash()) ?? codeRow(code)
      this.#unwritten.set(code.hash(), row)
      rows.set(code.hash(), row)
    }
    return [...rows.values()]
  }

  /** Notes that these are in the store. */
  written(codes: readonly CodeRow[]): void {
    for (const { hash } of codes) {
      this.#codes.set(hashFromBytes(hash), true)
      this.#unwritten.delete(hashFromBytes(hash))
    }
  }
}
