// Accounts after a step. A block shows the parts of an account that it changed; the rest comes from memory, from the
// store, or from the node, in this order. Each is checked against the hash in the block.

import { LRUCache } from 'lru-cache'
import { type Cell, type Hash, hashFromBytes } from '../../cell/index.ts'
import { type AccountFacts, codeRow, completeData } from '../../facts/index.ts'
import { type AccountId, type BlockIdExt, type Chain, ProofError } from '../../node/index.ts'
import {
  type AccountKey,
  type AccountRow,
  type AccountStateRow,
  type CodeRow,
  type Database,
  readAccountData,
  readKnownCodes,
} from '../../store/index.ts'
import type { Lanes } from '../chain/lanes.ts'
import type { ReadBlock, Step } from '../chain/step.ts'
import { upTo } from '../upTo.ts'
import { type AccountContent, accountContent } from './content.ts'

export interface AccountBookParts {
  readonly chain: Pick<Chain, 'account'>
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
}

const KEPT_BYTES = 32 * 1024 * 1024
export const KEPT_CODES = 100_000
const KEPT_STATES = 50_000

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
}

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
  // What is not here is not in the store either: so a fast run does not wait for its own writing.
  #hasAllData: boolean
  #hasAllCodes: boolean

  constructor(parts: AccountBookParts, { codes, isEmpty }: KnownAtStart) {
    this.#parts = parts
    this.#hasAllData = isEmpty
    this.#hasAllCodes = codes.length < KEPT_CODES
    for (const hash of codes) this.#codes.set(hashFromBytes(hash), true)
  }

  async rowsOf({ master, shards }: Step): Promise<AccountRows> {
    const touched = [...shards, master].flatMap(({ id, facts }: ReadBlock) =>
      facts.accounts.map((account) => ({ id, facts: account })),
    )
    await this.#recall(touched)
    const filled = await Promise.all(touched.map((one) => this.#fill(one)))
    const codes = this.#newCodes(filled)
    const wanted = statesBefore([...shards, master])
    const last = new Map<Hash, AccountRow>()
    const states = new Map<Hash, AccountStateRow>()
    for (const { facts, state, data } of filled) {
      const { account, lastTxHash, lastTxLt } = facts
      const mcSeqno = master.id.seqno
      last.set(hashFromBytes(account), { account, lastTxHash, lastTxLt, data, mcSeqno, ...state })
      const before = facts.before === null ? null : hashFromBytes(facts.before.hash)
      if (facts.before !== null && before !== null && wanted.has(before) && !this.#states.has(before))
        states.set(before, facts.before)
      if (state.status === 'nonexist') continue
      states.set(hashFromBytes(state.hash), state)
      this.#states.set(hashFromBytes(state.hash), true)
    }
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
    if (accounts.size === 0 || this.#hasAllData) return
    for (const { account, dataHash, data } of await readAccountData(read, [...accounts.values()]))
      this.#keep(account, dataHash, data)
  }

  #keep(account: AccountKey, hash: Uint8Array, boc: Uint8Array): void {
    this.#data.set(hashFromBytes(account), { hash, boc })
  }

  /** The data of an account from its last known row: unchanged data, or the shown data with its holes filled. */
  #recalled({ account, shownData }: AccountFacts, { dataHash }: AccountStateRow): Uint8Array | null {
    const kept = this.#data.get(hashFromBytes(account))
    if (kept === undefined) return null
    if (sameHash(kept.hash, dataHash)) return kept.boc
    return shownData === null ? null : completeData(shownData, kept.boc)
  }

  async #fill({ id, facts }: Touched): Promise<Filled> {
    const filled = this.#fromBlock(facts) ?? { facts, ...(await this.#ask(id, facts)) }
    const { state, data } = filled
    if (data !== null && state.dataHash !== null) this.#keep(facts.account, state.dataHash, data)
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
    return { facts, state, data: whole, code: code === 'incomplete' ? null : code }
  }

  async #ask(id: BlockIdExt, { account, hash }: AccountFacts): Promise<AccountContent> {
    const { chain, lanes, timeoutMs, signal } = this.#parts
    const { shardAccount } = await lanes.run(() => chain.account(id, accountIdOf(account), { timeoutMs, signal }))
    const cell = shardAccount?.account ?? null
    if (cell === null || !sameHash(cell.hashBytes(), hash))
      throw new ProofError('account', 'another account state than the block leaves behind')
    return accountContent(cell)
  }

  #newCodes(filled: readonly Filled[]): CodeRow[] {
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
