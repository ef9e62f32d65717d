// How lite servers wait for blocks that are yet to come.

import { LiteError } from './liteErrors.ts'

/** They wait no longer. */
export const LONGEST_WAIT_MS = 10_000
/** Blocks that are further away are not waited for. */
export const FURTHEST_WAIT = 100
/** The last number of a block. */
export const MOST_SEQNO = 0xffff_ffff

export const tooFar = (): LiteError => new LiteError('notReady', 'too big masterchain block seqno')
