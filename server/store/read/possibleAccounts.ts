// What can be told from an account's name alone: whether a workchain or a shard has its transactions. An index by account
// would be gone through to its end to find that out.

import type { AccountKey } from '../tables/column.ts'

interface Place {
  readonly workchain?: number | undefined
  readonly shard?: bigint | undefined
  readonly excludeAccounts?: readonly AccountKey[] | undefined
}

const BIAS = 128

/** The shards an account can be in are those its first bits begin with; the lowest bit of a shard ends them. */
function isIn(shard: bigint, account: AccountKey): boolean {
  const bits = BigInt.asUintN(64, shard)
  const end = bits & -bits
  const own = Buffer.from(account.buffer, account.byteOffset + 1, 8).readBigUInt64BE()
  return end !== 0n && (own ^ bits) < end << 1n
}

/** Those of the accounts that can have transactions there. */
export function possibleAccounts(accounts: readonly AccountKey[], { workchain, shard, excludeAccounts = [] }: Place) {
  return accounts.filter(
    (account) =>
      (workchain === undefined || account[0] === workchain + BIAS) &&
      (shard === undefined || isIn(shard, account)) &&
      !excludeAccounts.some((other) => Buffer.compare(other, account) === 0),
  )
}
