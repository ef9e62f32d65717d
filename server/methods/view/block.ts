// Blocks as they go over the wire.

import type { z } from 'zod'
import { toBase64 } from '../../../shared/base64.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { TonBlockIdExt } from '../../../shared/v2/tonlib.ts'
import type { BlockIdExt, ZeroStateId } from '../../node/index.ts'

type OnWire = z.output<typeof TonBlockIdExt>

export const toBlockId = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): OnWire => ({
  '@type': 'ton.blockIdExt',
  workchain,
  shard: toDigits(BigInt.asIntN(64, shard)),
  seqno,
  root_hash: toBase64(rootHash),
  file_hash: toBase64(fileHash),
})

/** A zero state is written as block 0 of no shard. */
export const toZeroStateId = ({ workchain, rootHash, fileHash }: ZeroStateId): OnWire => ({
  ...toBlockId({ workchain, shard: 0n, seqno: 0, rootHash, fileHash }),
})
