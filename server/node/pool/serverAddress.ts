// One lite server as listed in a configuration, and how it is reached.

import { type BlockIdExt, MASTERCHAIN, type ShardId } from '../blockId.ts'
import type { LiteServer } from '../liteServer.ts'
import { shardsMeet } from '../verify/index.ts'

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

/** Whether a server with these slices has a block. */
export const hasBlock = (slices: readonly ChainSlice[] | null, id: BlockIdExt): boolean =>
  slices === null ||
  slices.some(
    (slice) =>
      (id.workchain === MASTERCHAIN ? slice.workchain === MASTERCHAIN : shardsMeet(slice, id)) &&
      id.seqno >= (slice.fromSeqno ?? 0) &&
      id.seqno <= (slice.toSeqno ?? Number.MAX_SAFE_INTEGER),
  )
