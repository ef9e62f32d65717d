// Where following begins: behind the last block that was indexed, or before the first one that shall be.

import {
  type BlockIdExt,
  type Chain,
  MASTERCHAIN,
  masterBlock,
  type ReadOptions,
  WHOLE_SHARD,
} from '../../node/index.ts'
import { lockIndex, readMaster, readShardTops, type Sql, StoreError, writtenByAnother } from '../../store/index.ts'
import { configParam } from '../../tlb/index.ts'
import { blockPlaceOf, type Tip } from './chainStep.ts'

const GLOBAL_VERSION = 8

/** The protocol in force after a masterchain block. */
async function globalVersionAt(chain: Chain, id: BlockIdExt, options: ReadOptions): Promise<number | undefined> {
  const { config } = await chain.config(id, [GLOBAL_VERSION], options)
  return configParam(config, GLOBAL_VERSION)?.version
}

/** A tip of which it is not yet known what protocol is in force. */
export type BareTip = Omit<Tip, 'globalVersion'>

/** Behind the last masterchain block that was indexed; and when that block was made. Until the transaction ends no other one changes it. */
export async function tipIn(index: Sql, seqno: number): Promise<BareTip & { readonly utime: number }> {
  // The cursor was read before: another process may have moved it since.
  if ((await lockIndex(index)) !== seqno) throw writtenByAnother()
  const master = await readMaster(index, seqno)
  if (master === null) throw noBlockAtCursor(seqno)
  const { rootHash, fileHash, utime } = master
  const tops = await readShardTops(index, seqno)
  return {
    id: { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash },
    tops: new Set(tops.filter(({ workchain }) => workchain !== MASTERCHAIN).map(blockPlaceOf)),
    utime,
  }
}

const noBlockAtCursor = (seqno: number): StoreError =>
  new StoreError(
    'unavailable',
    `the index has a cursor at block ${seqno}, but not that block: waiting for it, as while a dump is restored; where it does ` +
      'not come, go back to a copy, or start once with --reindex-from 1',
  )

export async function withProtocol(chain: Chain, tip: BareTip, options: ReadOptions): Promise<Tip> {
  // Before the first block there is only the first state, and that block repeats its configuration.
  if (tip.id.seqno === 0) return { ...tip, globalVersion: undefined }
  return { ...tip, globalVersion: await globalVersionAt(chain, tip.id, options) }
}

/** Before a masterchain block, none of it indexed. */
export async function tipBefore(chain: Chain, seqno: number, options: ReadOptions): Promise<BareTip> {
  if (seqno <= 1) return { id: (await chain.head(options)).zerostate, tops: new Set() }
  const id = await masterBlock(chain, seqno - 1, options)
  const tops = await chain.shards(id, { ...options, exists: true, mcSeqno: id.seqno })
  return { id, tops: new Set(tops.map((top) => blockPlaceOf(top.id))) }
}
