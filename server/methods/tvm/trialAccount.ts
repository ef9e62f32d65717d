// An account as the TVM reads it for a trial run: with its position in its shard.

import { writingBoc } from '../../cell/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'
import {
  type Account,
  type ShardAccount,
  type StateInit,
  storeAccount,
  storeShardAccount,
  toCell,
} from '../../tlb/index.ts'

const ABSENT: ShardAccount = {
  account: toCell(null, storeAccount),
  lastTransHash: new Uint8Array(32),
  lastTransLt: 0n,
}

/** A bag of cells with the ShardAccount, that of a large one written in slices; null for an account that never existed. */
export const shardAccountBoc = (shardAccount: ShardAccount | null, slicing: Slicing): Promise<Uint8Array> =>
  inPieces(writingBoc(toCell(shardAccount ?? ABSENT, storeShardAccount)), slicing)

/** Code and libraries of an account, where it has any. */
export const trialInitOf = (account: Account | null): StateInit | null =>
  account?.storage.state.kind === 'active' ? account.storage.state.init : null
