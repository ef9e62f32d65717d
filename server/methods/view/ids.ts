// Names of blocks and transactions as they go over the wire.

import type { z } from 'zod'
import { toDigits } from '../../../shared/primitives.ts'
import type { TonBlockIdExt, TransactionId } from '../../../shared/v2/tonlib.ts'
import { base64Of } from '../../cell/index.ts'
import type { BlockIdExt, ZeroStateId } from '../../node/index.ts'

type OnWire = z.output<typeof TonBlockIdExt>

const blockIdOf = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): OnWire => ({
  '@type': 'ton.blockIdExt',
  workchain,
  shard: toDigits(BigInt.asIntN(64, shard)),
  seqno,
  root_hash: base64Of(rootHash),
  file_hash: base64Of(fileHash),
})

let last: { readonly id: BlockIdExt; readonly written: OnWire } | null = null

/** Most calls read at the newest block, which is named by the same object. */
export function toBlockId(id: BlockIdExt): Readonly<OnWire> {
  if (last?.id !== id) last = { id, written: blockIdOf(id) }
  return last.written
}

/** A zero state is written as block 0 of no shard. */
export const toZeroStateId = ({ workchain, rootHash, fileHash }: ZeroStateId): OnWire => ({
  ...blockIdOf({ workchain, shard: 0n, seqno: 0, rootHash, fileHash }),
})

const ZEROS = new Uint8Array(32)

/** A transaction by its time and hash; zeros for none. */
export const toTransactionId = (lt = 0n, hash: Uint8Array = ZEROS): z.output<typeof TransactionId> => ({
  '@type': 'internal.transactionId',
  lt: toDigits(lt),
  hash: base64Of(lt === 0n ? ZEROS : hash),
})
