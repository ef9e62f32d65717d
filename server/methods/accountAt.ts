// An account with everything its shard records of it: the time it was read at and its last transaction, which the account
// itself does not know.

import type { Address } from '../../shared/address.ts'
import { type BlockIdExt, type Chain, masterBlock, type VerifiedAccount } from '../node/index.ts'

export type AccountReader = Pick<Chain, 'head' | 'find' | 'account'>

export interface AccountAt extends Pick<VerifiedAccount, 'account' | 'shardAccount' | 'utime' | 'lt'> {
  /** The masterchain block it was read at. */
  readonly block: BlockIdExt
}

/** Reads an account at a masterchain block, the newest when `seqno` is undefined. */
export async function readAccount(
  chain: AccountReader,
  id: Pick<Address, 'workchain' | 'hash'>,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<AccountAt> {
  return accountAt(chain, id, await masterBlock(chain, seqno, { signal }), signal)
}

/** The same at a block that is known. */
export async function accountAt(
  chain: Pick<Chain, 'account'>,
  { workchain, hash }: Pick<Address, 'workchain' | 'hash'>,
  block: BlockIdExt,
  signal: AbortSignal,
): Promise<AccountAt> {
  const { account, shardAccount, utime, lt } = await chain.account(block, { workchain, hash }, { signal })
  return { block, account, shardAccount, utime, lt }
}
