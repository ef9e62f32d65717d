// A call about a masterchain block, by how far the block is from the head of the server.

import { MASTERCHAIN } from '../blockId.ts'
import { LiteError } from '../liteErrors.ts'
import type { VerbCall } from './verbs.ts'

/** A server that lags at most this much is given time to get the block. */
const NEAR_BLOCKS = 2
/** Older blocks than this may be gone; a newer one that is missing is only late. */
export const OLD_BLOCKS = 1_000

/** Null for a call that is about no masterchain block. */
const seqnoOf = ({ about }: VerbCall): number | null => (about?.workchain === MASTERCHAIN ? about.seqno : null)

const isNear = ({ options }: VerbCall, seqno: number, head: number): boolean =>
  seqno <= head + NEAR_BLOCKS && options.waitSeqno === undefined

/** The same call, answered when the server has the block. */
const waitingFor = (call: VerbCall, seqno: number): VerbCall => ({
  ...call,
  options: { ...call.options, waitSeqno: seqno },
})

/** What is called first: a block that the server is about to get is waited for. */
export function firstCall(call: VerbCall, head: number): VerbCall {
  const seqno = seqnoOf(call)
  return seqno !== null && seqno > head && isNear(call, seqno, head) ? waitingFor(call, seqno) : call
}

/** How far behind the head the block is that the server does not have; null for another failure. */
export function missingAge(call: VerbCall, head: number, error: unknown): number | null {
  const seqno = seqnoOf(call)
  const isMissing = seqno !== null && seqno <= head && error instanceof LiteError && error.isMissing
  return isMissing ? head - seqno : null
}

/** The call to repeat where the block is known but not yet all its shards: the server waits until it is complete. */
export function repeatedCall(call: VerbCall, head: number, error: unknown): VerbCall | null {
  const seqno = seqnoOf(call)
  if (seqno === null || seqno > head || head - seqno > NEAR_BLOCKS || !isNear(call, seqno, head)) return null
  return error instanceof LiteError && error.kind === 'notReady' ? waitingFor(call, seqno) : null
}
