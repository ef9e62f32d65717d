// Traces that were reported before they were final: some of them never happen.

import { toBase64 } from '../../shared/base64.ts'
import { bytesOfTransactions, type LiveTrace, rawOfKey } from '../methods/index.ts'
import type { TransactionFound } from '../store/index.ts'

interface Unfinished {
  /** Null where there was no room: the trace is withdrawn like others, and a new subscriber learns of it with its next block. */
  trace: LiveTrace | null
  /** What the trace takes in memory, about. */
  readonly bytes: number
  readonly at: number
  readonly account: string
  /** The last masterchain block with a part of it; null as long as no block has any. */
  mcSeqno: number | null
}

const MOST = 10_000
/** Of all that are kept whole. */
const MOST_BYTES = 128 << 20
/** Wallets of this code (highload v3) have several messages in flight at once. */
const PARALLEL_CODE = 'EayteVWEQJDyg78ji8FEmHH3g+fMCXlAjT9IWUg+hSU='

const rootOf = ({ nodes }: LiveTrace) => nodes[0]?.found

const allowsRivals = ({ after }: TransactionFound): boolean =>
  after?.codeHash != null && toBase64(after.codeHash) === PARALLEL_CODE

export class UnfinishedTraces {
  readonly #all = new Map<string, Unfinished>()
  /** Hashes of those with their trace, the oldest first. */
  readonly #whole = new Set<string>()
  #bytes = 0
  readonly #now: () => number
  /** Hashes of those that no block has a part of, by the account they begin at. */
  readonly #predicted = new Map<string, Set<string>>()

  /** `now`: milliseconds of a clock that never jumps. */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  /** Null for one that is not known, or not whole. */
  get(hash: string): LiveTrace | null {
    return this.#all.get(hash)?.trace ?? null
  }

  add(trace: LiveTrace, mcSeqno: number | null): void {
    const root = rootOf(trace)
    if (root === undefined) return
    const hash = toBase64(trace.hashNorm)
    const account = rawOfKey(root.row.account)
    this.remove(hash)
    const bytes = bytesOfTransactions(trace.nodes.map(({ found }) => found))
    this.#all.set(hash, { trace, bytes, at: this.#now(), account, mcSeqno })
    this.#whole.add(hash)
    this.#bytes += bytes
    if (mcSeqno === null) this.#predicted.set(account, (this.#predicted.get(account) ?? new Set()).add(hash))
    const [oldest] = this.#all.keys()
    if (this.#all.size > MOST && oldest !== undefined) this.remove(oldest)
    for (const first of this.#whole) {
      if (this.#bytes <= MOST_BYTES) return
      this.#shorten(first)
    }
  }

  #shorten(hash: string): void {
    const known = this.#all.get(hash)
    if (known === undefined || !this.#whole.delete(hash)) return
    known.trace = null
    this.#bytes -= known.bytes
  }

  remove(hash: string): void {
    const known = this.#all.get(hash)
    if (known === undefined) return
    this.#shorten(hash)
    this.#all.delete(hash)
    this.#forgetPredicted(hash, known)
  }

  #forgetPredicted(hash: string, { account }: Unfinished): void {
    const own = this.#predicted.get(account)
    if (own?.delete(hash) === true && own.size === 0) this.#predicted.delete(account)
  }

  /** A block has the first transaction of a trace: it is kept as real, also without a subscriber. */
  noteInBlock(hash: string, mcSeqno: number): void {
    const known = this.#all.get(hash)
    if (known === undefined) return
    this.#forgetPredicted(hash, known)
    known.mcSeqno = Math.max(mcSeqno, known.mcSeqno ?? 0)
  }

  /** Predicted traces whose place in their wallet another one has taken, which began with this transaction and is noted. */
  rivalsOf(root: TransactionFound): string[] {
    const rivals = this.#predicted.get(rawOfKey(root.row.account))
    return rivals === undefined || allowsRivals(root) ? [] : [...rivals]
  }

  /** Predicted traces without news for so many milliseconds. */
  olderThan(ms: number): string[] {
    const at = this.#now() - ms
    return this.#where((one) => one.mcSeqno === null && one.at <= at)
  }

  /** Traces that no block has a part of. */
  predicted(): string[] {
    return this.#where((one) => one.mcSeqno === null)
  }

  /** Traces with a part in a block above this one, which was undone. */
  above(mcSeqno: number): string[] {
    return this.#where((one) => one.mcSeqno !== null && one.mcSeqno > mcSeqno)
  }

  #where(fits: (one: Unfinished) => boolean): string[] {
    return [...this.#all].filter(([, one]) => fits(one)).map(([hash]) => hash)
  }
}
