// Traces that were reported before they were final: some of them never happen.

import { toBase64 } from '../../shared/base64.ts'
import { type LiveTrace, rawOfKey } from '../methods/index.ts'
import type { TransactionFound } from '../store/index.ts'

interface Unfinished {
  readonly trace: LiveTrace
  /** Milliseconds of a clock that never jumps. */
  readonly at: number
  readonly account: string
  /** The last masterchain block with a part of it; null as long as no block has any. */
  readonly mcSeqno: number | null
}

const MOST = 10_000
/** Wallets of this code (highload v3) have several messages in flight at once. */
const PARALLEL_CODE = 'EayteVWEQJDyg78ji8FEmHH3g+fMCXlAjT9IWUg+hSU='

const rootOf = ({ nodes }: LiveTrace) => nodes[0]?.found

const allowsRivals = ({ after }: TransactionFound): boolean =>
  after?.codeHash != null && toBase64(after.codeHash) === PARALLEL_CODE

export class UnfinishedTraces {
  readonly #all = new Map<string, Unfinished>()
  /** Hashes of those that no block has a part of, by the account they begin at. */
  readonly #predicted = new Map<string, Set<string>>()

  get(hash: string): LiveTrace | undefined {
    return this.#all.get(hash)?.trace
  }

  add(trace: LiveTrace, now: number, mcSeqno: number | null): void {
    const root = rootOf(trace)
    if (root === undefined) return
    const hash = toBase64(trace.hashNorm)
    const account = rawOfKey(root.row.account)
    this.remove(hash)
    this.#all.set(hash, { trace, at: now, account, mcSeqno })
    if (mcSeqno === null) this.#predicted.set(account, (this.#predicted.get(account) ?? new Set()).add(hash))
    const [oldest] = this.#all.keys()
    if (this.#all.size > MOST && oldest !== undefined) this.remove(oldest)
  }

  remove(hash: string): void {
    const known = this.#all.get(hash)
    if (known === undefined) return
    this.#all.delete(hash)
    const own = this.#predicted.get(known.account)
    if (own?.delete(hash) === true && own.size === 0) this.#predicted.delete(known.account)
  }

  /** Predicted traces whose place in their wallet another one has taken, which began with this transaction. */
  rivalsOf(root: TransactionFound): string[] {
    const rivals = this.#predicted.get(rawOfKey(root.row.account))
    if (rivals === undefined || allowsRivals(root)) return []
    const own = root.inMessage && toBase64(root.inMessage.hashNorm ?? root.inMessage.hash)
    return [...rivals].filter((hash) => hash !== own)
  }

  /** Predicted traces without news since a moment. */
  olderThan(at: number): string[] {
    return this.#where((one) => one.mcSeqno === null && one.at <= at)
  }

  /** Traces with a part in a block above this one, which was undone. */
  above(mcSeqno: number): string[] {
    return this.#where((one) => one.mcSeqno !== null && one.mcSeqno > mcSeqno)
  }

  #where(fits: (one: Unfinished) => boolean): string[] {
    return [...this.#all].filter(([, one]) => fits(one)).map(([hash]) => hash)
  }
}
