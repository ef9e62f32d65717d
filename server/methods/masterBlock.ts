import { type BlockIdExt, type LiteServer, MASTERCHAIN, WHOLE_SHARD } from '../node/index.ts'

/** The masterchain block with a seqno, the newest when it is undefined. Rejects with LiteError. */
export async function masterBlock(
  node: Pick<LiteServer, 'masterchainInfo' | 'lookup'>,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<BlockIdExt> {
  if (seqno === undefined) return (await node.masterchainInfo({ signal })).last
  return (await node.lookup({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, 0, { signal })).id
}
