// Which accounts of a filter can have transactions in its workchain or shard, by the bits of their addresses. Otherwise the
// database scans all transactions of an account to find that none matches.

import type { AccountKey } from '../tables/column.ts'

interface PossibleIn {
  readonly workchain?: number | undefined
  readonly shard?: bigint | undefined
  readonly excludeAccounts?: readonly AccountKey[] | undefined
}

const BIAS = 128

const MASTERCHAIN = BIAS - 1
const WHOLE = 1n << 63n

/** A shard is never split further than into those with prefixes of so many bits. */
const MOST_PREFIX_BITS = 60

/** The bits of its address that say in which shards it is. */
const firstBits = (account: AccountKey): bigint =>
  Buffer.from(account.buffer, account.byteOffset + 1, 8).readBigUInt64BE()

/** A shard's bits are a prefix of its accounts' addresses, ended by its lowest bit. The masterchain is never split. */
function isIn(shard: bigint, account: AccountKey): boolean {
  const bits = BigInt.asUintN(64, shard)
  if (account[0] === MASTERCHAIN) return bits === WHOLE
  const end = bits & -bits
  return end !== 0n && (firstBits(account) ^ bits) < end << 1n
}

/** All shards that may ever hold an account. Each number of a block occurs once in them. */
export function possibleShards(account: AccountKey): readonly bigint[] {
  const bits = firstBits(account)
  return Array.from({ length: MOST_PREFIX_BITS + 1 }, (_, prefixBits) => {
    const end = 1n << BigInt(63 - prefixBits)
    return BigInt.asIntN(64, (bits & -(end << 1n)) | end)
  })
}

/** Those of the accounts that can have such transactions. */
export function possibleAccounts(
  accounts: readonly AccountKey[],
  { workchain, shard, excludeAccounts = [] }: PossibleIn,
) {
  return accounts.filter(
    (account) =>
      (workchain === undefined || account[0] === workchain + BIAS) &&
      (shard === undefined || isIn(shard, account)) &&
      !excludeAccounts.some((other) => Buffer.compare(other, account) === 0),
  )
}
