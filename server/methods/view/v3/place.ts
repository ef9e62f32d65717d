// Blocks' names as v3 writes them.

import type { z } from 'zod'
import type { BlockId } from '../../../../shared/v3/values.ts'
import type { BlockKey } from '../../../store/index.ts'

/** In hex and without a sign; leading zeros are left out. */
const toShard = (shard: bigint): string => BigInt.asUintN(64, shard).toString(16).toUpperCase()

export const toIndexedBlockId = ({ workchain, shard, seqno }: BlockKey): z.output<typeof BlockId> => ({
  workchain,
  shard: toShard(shard),
  seqno,
})
