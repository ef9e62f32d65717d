// Numbers the chain has more room for than the store. No chain has come near them, and only a made up block does.

import { TlbError } from '../../tlb/index.ts'

export const INT32_MAX = 2 ** 31 - 1
export const INT64_MAX = 2n ** 63n - 1n

/** A logical time that fits its column. Throws TlbError `value` for others. */
export function storableLt(lt: bigint): bigint {
  if (lt > INT64_MAX) throw new TlbError('value', `a logical time of ${lt}`)
  return lt
}
