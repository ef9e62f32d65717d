// What a lite server calls the masterchain block of a height: servers on different forks name different ones.

import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from './blockId.ts'
import { connectLiteServer } from './connectLiteServer.ts'
import type { ServerAddress } from './pool/index.ts'

const TIMEOUT_MS = 5_000

/** As the server reports it, without proof; null when it does not. Never rejects. */
export async function blockAtHeight(address: ServerAddress, seqno: number): Promise<BlockIdExt | null> {
  try {
    const server = await connectLiteServer(address, AbortSignal.timeout(TIMEOUT_MS))
    try {
      const query = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }
      return (await server.lookup(query, 0, { timeoutMs: TIMEOUT_MS })).id
    } finally {
      server.close()
    }
  } catch {
    return null
  }
}
