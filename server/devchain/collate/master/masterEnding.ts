// What a masterchain block settles beyond the rest: a changed configuration, shards, validators, its place in the list of
// blocks.

import type { Cell } from '../../../cell/index.ts'
import { validatorListHash } from '../../../node/index.ts'
import {
  addCurrency,
  type ConfigParams,
  type CurrencyCollection,
  type MasterStateDetails,
  type ShardDescription,
  type ShardHashes,
  storeMasterStateDetails,
  storeMasterStateExtra,
  toCell,
} from '../../../tlb/index.ts'
import { type Accounts, blockRef, type MasterState } from '../../state/index.ts'
import type { Draft } from '../blockDraft.ts'
import { type BlockCreators, updateCreatorStats } from './creatorStats.ts'
import { nextConfig } from './nextConfig.ts'
import { masterValidators, rotationAt } from './rotation.ts'
import { type Registration, shardHashesWith } from './shardRegistry.ts'

export interface MasterEnding {
  readonly config: ConfigParams
  readonly isKey: boolean
  readonly shard: ShardDescription
  readonly shardHashes: ShardHashes
  /** McStateExtra. */
  readonly stateExtra: Cell
}

export interface MasterEndingParts {
  readonly accounts: Accounts
  readonly registration: Registration
  /** Public keys of the validators of this block and of the shard block it registers. */
  readonly creators: BlockCreators
  /** How much more money there is in all chains after this block. */
  readonly newFunds: CurrencyCollection
}

/** Settles it; `previous` is the state the block builds on. */
export function endMaster(draft: Draft, previous: MasterState, parts: MasterEndingParts): MasterEnding {
  const { utime } = draft.plan
  const { config, isKey } = nextConfig(draft, previous, parts.accounts)
  const rotation = rotationAt(previous, utime, isKey)
  const { shard: top } = parts.registration
  const shard = rotation.shards ? { ...top, nextCatchainSeqno: top.nextCatchainSeqno + 1 } : top
  const reference = blockRef(previous.id, previous.lt)
  const { master } = previous
  const catchainSeqno = master.validatorInfo.catchainSeqno + (rotation.master ? 1 : 0)
  const details: MasterStateDetails = {
    validatorInfo: {
      listHashShort: validatorListHash(masterValidators(config, catchainSeqno), 0),
      catchainSeqno,
      nextCatchainUpdated: rotation.master && rotation.shards,
    },
    previousBlocks: draft.usage.run(() =>
      master.previousBlocks.set(previous.id.seqno, { isKey: master.afterKeyBlock, block: reference }),
    ),
    afterKeyBlock: isKey,
    lastKeyBlock: master.afterKeyBlock ? reference : master.lastKeyBlock,
    createStats: updateCreatorStats(master.createStats, parts.creators, utime),
  }
  const shardHashes = shardHashesWith(shard)
  const stateExtra = toCell(
    {
      shardHashes,
      config,
      details: toCell(details, storeMasterStateDetails),
      globalBalance: addCurrency(previous.extra.globalBalance, parts.newFunds),
    },
    storeMasterStateExtra,
  )
  return { config, isKey, shard, shardHashes, stateExtra }
}
