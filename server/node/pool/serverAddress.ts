// One lite server as listed in a configuration, and how it is reached.

import { type BlockIdExt, MASTERCHAIN, type ShardId } from '../blockId.ts'
import type { LiteServer } from '../liteServer.ts'

/** A part of the chain that a server has. Without bounds it has all of these shards. */
export interface ChainSlice extends ShardId {
  readonly fromSeqno?: number
  readonly toSeqno?: number
}

export interface ServerAddress {
  /** For logs and metrics: `host:port`. */
  readonly name: string
  readonly host: string
  readonly port: number
  /** Its Ed25519 public key, 32 bytes. */
  readonly key: Uint8Array
  /** Null: all of the chain. */
  readonly slices: readonly ChainSlice[] | null
}

export interface LiteConnection extends LiteServer {
  close(): void
  /** Called once, when the connection ends for any reason; calls in flight have been rejected. */
  onClose(listener: (reason: Error) => void): void
}

/** Rejects when the server cannot be reached, or is not the one with this key. */
export type Connect = (server: ServerAddress, signal: AbortSignal) => Promise<LiteConnection>

/** Whether one shard contains or equals the other. */
function meets(a: bigint, b: bigint): boolean {
  const lowest = (shard: bigint): bigint => shard & -shard
  const [wide, narrow] = lowest(a) >= lowest(b) ? [a, b] : [b, a]
  // Equal above the marker of the wider one.
  return (wide ^ narrow) < lowest(wide) << 1n
}

/** Whether a server with these slices has a block. */
export const hasBlock = (slices: readonly ChainSlice[] | null, { workchain, shard, seqno }: BlockIdExt): boolean =>
  slices === null ||
  slices.some(
    (slice) =>
      slice.workchain === workchain &&
      (workchain === MASTERCHAIN || meets(BigInt.asUintN(64, slice.shard), BigInt.asUintN(64, shard))) &&
      seqno >= (slice.fromSeqno ?? 0) &&
      seqno <= (slice.toSeqno ?? Number.MAX_SAFE_INTEGER),
  )
