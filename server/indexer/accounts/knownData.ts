// The newest data of accounts. A block has only the changed parts of it: the others are taken from here.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, type Cell, hashFromBytes } from '../../cell/index.ts'
import { completeData, completingData, holesIn, type ParsedAccount } from '../../facts/index.ts'
import { inPieces, type SlicedWork } from '../../fairness/index.ts'
import type { AccountKey, AccountStateRow } from '../../store/index.ts'
import type { CodeLibrary } from './codeLibrary.ts'
import { sameHashOrNone } from './lackingAccounts.ts'

const KEPT_BYTES = 32 * 1024 * 1024
/** Data up to here is made whole at once, within two milliseconds. */
const SHORT_BYTES = 16 * 1024

interface KeptData {
  readonly hash: Uint8Array
  readonly boc: Uint8Array
  /** The step that left it; 0 for what an earlier process wrote. */
  readonly mcSeqno: number
}

/** Small data at once, which takes less time in all. */
export const completed = (
  shown: Cell,
  known: readonly (Uint8Array | Cell)[],
  slices: SlicedWork,
): Uint8Array | null | Promise<Uint8Array | null> =>
  known.some((one) => one instanceof Uint8Array && one.length > SHORT_BYTES)
    ? inPieces(completingData(shown, known), slices)
    : completeData(shown, known)

export class KnownData {
  /** Whether it has all the store has: then a miss needs no query, which would wait for the index's own writes. */
  hasAll: boolean
  readonly #codes: Pick<CodeLibrary, 'cell'>
  readonly #kept = new LRUCache<BinaryHash, KeptData>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ boc }) => boc.length + 256,
    dispose: (_value, _key, reason) => {
      if (reason === 'evict') this.hasAll = false
    },
  })
  /** Data whose holes were filled, by its state: made while the reads of a step are chosen, and used when its rows are. */
  readonly #whole = new WeakMap<AccountStateRow, Uint8Array>()

  constructor(codes: Pick<CodeLibrary, 'cell'>, hasAll: boolean) {
    this.#codes = codes
    this.hasAll = hasAll
  }

  has(account: AccountKey): boolean {
    return this.#kept.has(hashFromBytes(account))
  }

  /** Unless a later step has left other data already. */
  keep(account: AccountKey, data: KeptData): void {
    const key = hashFromBytes(account)
    if ((this.#kept.peek(key)?.mcSeqno ?? 0) <= data.mcSeqno) this.#kept.set(key, data)
  }

  /** Of an account by what is known of it: unchanged data, or the shown data with its holes filled. */
  async of(
    { account, shownData }: ParsedAccount,
    state: AccountStateRow,
    slices: SlicedWork,
  ): Promise<Uint8Array | null> {
    const found = this.#whole.get(state)
    if (found !== undefined) return found
    const kept = this.#kept.get(hashFromBytes(account))
    if (kept !== undefined && sameHashOrNone(kept.hash, state.dataHash)) return kept.boc
    if (shownData === null) return null
    const codes = holesIn(shownData).flatMap((hash) => this.#codes.cell(hash) ?? [])
    const known = kept === undefined ? codes : [...codes, kept.boc]
    const whole = known.length === 0 ? null : await completed(shownData, known, slices)
    if (whole !== null) this.#whole.set(state, whole)
    return whole
  }
}
