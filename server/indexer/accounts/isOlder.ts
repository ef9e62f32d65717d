import type { AccountRow } from '../../store/index.ts'

type Version = Pick<AccountRow, 'mcSeqno' | 'lastTxLt'>

/** Compares blocks first: an account that was deleted and then set by `dev.setAccount` has lt 0. */
export const isOlder = (one: Version, other: Version): boolean =>
  one.mcSeqno < other.mcSeqno || (one.mcSeqno === other.mcSeqno && one.lastTxLt < other.lastTxLt)
