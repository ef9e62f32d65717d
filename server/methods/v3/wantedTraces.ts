// Pending traces: what their methods need, and which of them a call requests.

import { ApiError } from '../../../shared/errors.ts'
import { toHex } from '../../../shared/hex.ts'
import type { AccountKey } from '../../store/index.ts'
import type { PendingActions } from '../pending/pendingActions.ts'
import type { PendingTrace, PendingTraces } from '../pending/pendingTraces.ts'
import { endOf } from '../view/v3/pending.ts'
import type { SideObjects } from './names/sideObjects.ts'

export interface PendingNeeds {
  readonly traces: PendingTraces
  readonly actions: PendingActions
  readonly side: SideObjects
}

const ONE_NEEDED = 'account or ext_msg_hash should be specified'

/** Whether bytes are among those. */
export function among(names: readonly Uint8Array[]): (bytes: Uint8Array | null) => boolean {
  const known = new Set(names.map(toHex))
  return (bytes) => bytes !== null && known.has(toHex(bytes))
}

export const touches = (trace: PendingTrace, isWanted: (account: AccountKey) => boolean): boolean =>
  trace.nodes.some(({ found }) => isWanted(found.row.account))

/** Newest end first, then by the hash they are known by. */
function byEnd(a: PendingTrace, b: PendingTrace): number {
  const endA = endOf(a)
  const endB = endOf(b)
  return endA === endB ? Buffer.compare(a.hash, b.hash) : endA > endB ? -1 : 1
}

export interface Wanted {
  /** Goes before the other. */
  readonly account?: AccountKey | undefined
  readonly ext_msg_hash?: readonly Uint8Array[] | undefined
}

/** Throws ApiError when no filter is given. */
export function demandWanted({ account, ext_msg_hash }: Wanted): void {
  if (account === undefined && ext_msg_hash === undefined) throw new ApiError('invalidParams', ONE_NEEDED)
}

/** The requested ones, newest end first. */
export function wantedTraces(traces: readonly PendingTrace[], { account, ext_msg_hash }: Wanted): PendingTrace[] {
  const isNamed = among(account === undefined ? (ext_msg_hash ?? []) : [account])
  const found = traces.filter((trace) =>
    account === undefined ? isNamed(trace.hash) || isNamed(trace.hashNorm) : touches(trace, isNamed),
  )
  return found.sort(byEnd)
}
