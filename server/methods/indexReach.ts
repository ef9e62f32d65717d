// Whether the index has a masterchain block of the chain. After a revert the index is for a while at a block that was undone: its
// seqno says nothing then.

import { setTimeout as sleep } from 'node:timers/promises'
import { sameBytes } from '../cell/index.ts'
import { type Chain, LiteError, MASTERCHAIN, WHOLE_SHARD } from '../node/index.ts'
import type { MasterId } from '../store/index.ts'
import type { IndexProgress } from './indexView.ts'

export interface ReachedIndex extends Pick<IndexProgress, 'waitFor'> {
  /** Null before the first block. */
  indexed(): MasterId | null
}

/** Whether a block that is indexed is one of the chain. Rejects as the chain does. */
export type Stands = (block: MasterId) => Promise<boolean>

/** Pause between two checks of an index that has not followed a revert yet. */
const PAUSE_MS = 25

/** Whether the chain has a masterchain block of the seqno, with the hash when one is given. Rejects as the chain does. */
export async function chainHasBlock(
  chain: Pick<Chain, 'idOf'>,
  { seqno, rootHash }: { readonly seqno: number; readonly rootHash?: Uint8Array },
): Promise<boolean> {
  try {
    const id = await chain.idOf({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno })
    return rootHash === undefined || sameBytes(id.rootHash, rootHash)
  } catch (error) {
    if (!(error instanceof LiteError)) throw error
    // While no lite server answers, nothing says that it was undone.
    return !error.isMissing
  }
}

/** Undefined for a chain that undoes no block. */
export function standsIn(chain: Pick<Chain, 'idOf' | 'traits'>): Stands | undefined {
  return chain.traits.canRewind ? (block) => chainHasBlock(chain, block) : undefined
}

/** Resolves with whether the index has followed a revert to a block of this seqno, at once or within the time. */
export async function leaveUndone(
  { index, stands }: { readonly index: Pick<ReachedIndex, 'indexed'>; readonly stands?: Stands | undefined },
  mcSeqno: number,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<boolean> {
  for (const end = performance.now() + timeoutMs; !signal.aborted; await sleep(PAUSE_MS)) {
    const at = index.indexed()
    // One that is behind the revert may still write a block that it has read before.
    if (stands === undefined || at === null || (at.seqno >= mcSeqno && (await stands(at)))) return true
    // So far behind it shows nothing that was undone.
    if (performance.now() > end) return at.seqno < mcSeqno
  }
  return false
}

/** Resolves with whether a block of this seqno is indexed and stands, at once or within the time. */
export async function reachIndex(
  { index, stands }: { readonly index: ReachedIndex; readonly stands?: Stands | undefined },
  mcSeqno: number,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<boolean> {
  const end = performance.now() + timeoutMs
  for (let left = timeoutMs; left > 0 && !signal.aborted; left = end - performance.now()) {
    if (!(await index.waitFor(mcSeqno, { signal, timeoutMs: left }))) return false
    if (stands === undefined) return true
    const at = index.indexed()
    // It may have moved meanwhile.
    if (at !== null && at.seqno >= mcSeqno && (await stands(at))) return true
    await sleep(PAUSE_MS)
  }
  return false
}
