// The state a chain starts from, before its first block.

import { Builder, buildDict, type Cell, emptyDict, hashToBytes, sha256, writeBoc } from '../../cell/index.ts'
import {
  dictCell,
  EMPTY_OUT_QUEUE,
  FULL_SHARD,
  librariesKind,
  shardAccountsKind,
  storeOutQueueInfo,
  storeShardState,
  storeShardStateDetails,
  toCell,
  ZERO_CURRENCY,
} from '../../tlb/index.ts'
import {
  type AccountCellContent,
  type Accounts,
  type BlockIdExt,
  freshAccount,
  workchainIdent,
} from '../state/index.ts'

/** The BoC flags of the node: serialising the cells with them again gives the same file hash. */
export const NODE_BOC = 31

export interface Zerostate {
  readonly id: BlockIdExt
  readonly root: Cell
  readonly boc: Uint8Array
}

export interface ZerostateParts {
  readonly workchain: number
  readonly globalId: number
  readonly utime: number
  readonly lt: bigint
  readonly accounts: Accounts
  /** McStateExtra of the masterchain. */
  readonly custom: Cell | null
}

/** The dictionary of accounts that nothing has happened to yet. */
export function genesisAccounts(list: readonly AccountCellContent[]): Accounts {
  const lastTransHash = new Uint8Array(32)
  return buildDict(
    shardAccountsKind,
    list.map((content) => [content.id, { account: freshAccount(content), lastTransHash, lastTransLt: 0n }] as const),
  )
}

/** Puts a zerostate together; the total balance is that of its accounts. */
export function makeZerostate({ workchain, globalId, utime, lt, accounts, custom }: ZerostateParts): Zerostate {
  const details = {
    overloadHistory: 0n,
    underloadHistory: 0n,
    totalBalance: accounts.extra?.balance ?? ZERO_CURRENCY,
    totalValidatorFees: ZERO_CURRENCY,
    libraries: emptyDict(librariesKind),
    masterRef: null,
  }
  const root = storeShardState(new Builder(), {
    globalId,
    shard: workchainIdent(workchain),
    seqno: 0,
    vertSeqno: 0,
    genUtime: utime,
    genLt: lt,
    minRefMcSeqno: 0xffff_ffff,
    outQueueInfo: toCell(EMPTY_OUT_QUEUE, storeOutQueueInfo),
    beforeSplit: false,
    accounts: dictCell(accounts),
    details: toCell(details, storeShardStateDetails),
    custom,
  }).end()
  const boc = writeBoc(root, NODE_BOC)
  const fileHash = hashToBytes(sha256(boc))
  return { id: { workchain, shard: FULL_SHARD, seqno: 0, rootHash: root.hashBytes(), fileHash }, root, boc }
}
