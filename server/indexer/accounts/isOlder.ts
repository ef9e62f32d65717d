import type { AccountRow } from '../../store/index.ts'

type Version = Pick<AccountRow, 'mcSeqno' | 'lastTxLt'>

/** By the block first: an account that its last transaction deleted, and that is set again without one, has no lt. */
export const isOlder = (one: Version, other: Version): boolean =>
  one.mcSeqno < other.mcSeqno || (one.mcSeqno === other.mcSeqno && one.lastTxLt < other.lastTxLt)
