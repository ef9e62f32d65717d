import type { AccountId } from '../../node/index.ts'
import type { AccountKey } from '../../store/index.ts'

/** The account that rows have under a key. */
export const accountIdOf = (key: AccountKey): AccountId => ({ workchain: (key[0] ?? 0) - 128, hash: key.subarray(1) })
