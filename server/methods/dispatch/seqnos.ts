// How far index and chain were when a call was answered, and calls that demand an index that is far enough.

import { ApiError } from '../../../shared/errors.ts'
import type { Chain } from '../../node/index.ts'
import type { ChargedCall } from '../call.ts'
import { type ReachedIndex, reachIndex, type Stands } from '../indexReach.ts'
import type { Modifiers } from '../modifiers.ts'

export interface SeqnoSources {
  readonly index: ReachedIndex
  /** Absent for a chain that undoes no block. */
  readonly stands?: Stands | undefined
  /** Newest known masterchain block; null before the first one. */
  readonly chain: () => number | null
}

/** Where a method reads; null for methods that answer without either. */
export type ReadSource = 'index' | 'chain' | null

/** How long a call waits for the index. */
const LONGEST_WAIT_MS = 2000
const MOST_SEQNO = 2 ** 32 - 1

const lower = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

export class Seqnos {
  readonly #sources: SeqnoSources
  /** By the modifiers of a request: its calls wait once. */
  readonly #waits = new WeakMap<Modifiers, Promise<void>>()

  constructor(sources: SeqnoSources) {
    this.#sources = sources
  }

  /** Notes how far the source is: what is read or recalled after this is at least as new. */
  note(source: ReadSource, { seqnos }: ChargedCall): void {
    if (seqnos === undefined || source === null) return
    const { index, chain } = this.#sources
    if (source === 'index') seqnos.index = lower(seqnos.index, index.indexed()?.seqno ?? null)
    else seqnos.chain = lower(seqnos.chain, chain())
  }

  /** Null when the call may be answered now, else resolves when it may. Throws or rejects with ApiError. */
  await(source: ReadSource, call: ChargedCall): Promise<void> | null {
    const { minSeqno, minSeqnoName: param } = call.modifiers
    if (minSeqno === null) return null
    // Refused by methods that read no index too: a mistake that only some calls report is found late.
    if (!(minSeqno <= MOST_SEQNO))
      throw new ApiError('invalidParams', `${param} must be a whole number from 0 to ${MOST_SEQNO}`, {
        param,
        limit: MOST_SEQNO,
      })
    if (source !== 'index') return null
    const { index, stands } = this.#sources
    if (stands === undefined && (index.indexed()?.seqno ?? -1) >= minSeqno) return null
    const known = this.#waits.get(call.modifiers)
    if (known !== undefined) return known
    const wait = this.#reach(minSeqno, call.signal)
    this.#waits.set(call.modifiers, wait)
    return wait
  }

  async #reach(minSeqno: number, signal: AbortSignal): Promise<void> {
    const { index } = this.#sources
    if (await reachIndex(this.#sources, minSeqno, { signal, timeoutMs: LONGEST_WAIT_MS })) return
    const at = index.indexed()?.seqno ?? 0
    throw new ApiError('indexBehind', `index is behind: at ${at}`, { seqno: at, retryAfter: 1 })
  }
}

/** The newest masterchain block this process knows of. */
export interface ChainSeqno {
  /** Null before the first block, and while no server answers. */
  readonly seqno: () => number | null
  stop(): void
}

/** Follows the heads of a chain; calls back with each. */
export function followChainSeqno(chain: Pick<Chain, 'head' | 'onHead'> | undefined, onReport: () => void): ChainSeqno {
  let newest: number | null = null
  const stop = chain?.onHead((report) => {
    if (report.kind === 'head') newest = report.id.seqno
    onReport()
  })
  // Heads are reported from the next one on. Without servers there is none yet, and calls report it.
  chain?.head().then(
    ({ id }) => {
      newest ??= id.seqno
    },
    () => undefined,
  )
  return { seqno: () => newest, stop: () => stop?.() }
}
