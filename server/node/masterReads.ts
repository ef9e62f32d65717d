// Reads at a masterchain block that is named by its seqno, made of two verbs of a chain.

import { type AccountId, type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from './blockId.ts'
import type { Chain, ReadOptions } from './chain.ts'
import type { VerifiedAccount } from './verify/index.ts'

/** The masterchain block with a seqno, the newest when it is undefined. Rejects with LiteError or ProofError. */
export async function masterBlock(
  chain: Pick<Chain, 'head' | 'idOf'>,
  seqno: number | undefined,
  options?: ReadOptions,
): Promise<BlockIdExt> {
  if (seqno === undefined) return (await chain.head(options)).id
  return await chain.idOf({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, options)
}

export type AccountReader = Pick<Chain, 'head' | 'idOf' | 'account'>

/** An account with everything its shard records of it: the time it was read at, and its last transaction. */
export interface AccountAt extends Omit<VerifiedAccount, 'block'> {
  /** The masterchain block it was read at. */
  readonly block: BlockIdExt
}

/** Reads an account at a masterchain block, the newest when `seqno` is undefined. */
export async function readAccount(
  chain: AccountReader,
  id: AccountId,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<AccountAt> {
  return accountAt(chain, id, await masterBlock(chain, seqno, { signal }), signal)
}

/** The same at a block that is known. */
export async function accountAt(
  chain: Pick<Chain, 'account'>,
  { workchain, hash }: AccountId,
  block: BlockIdExt,
  signal: AbortSignal,
): Promise<AccountAt> {
  const { account, shardAccount, utime, lt } = await chain.account(block, { workchain, hash }, { signal })
  return { block, account, shardAccount, utime, lt }
}
