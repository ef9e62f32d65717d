// Follows the heads of a server: each query waits on the server until it has the next block.

import { setTimeout as delay } from 'node:timers/promises'
import { type BlockIdExt, isSameBlock } from '../blockId.ts'
import type { MasterchainInfo } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteOptions } from '../liteServer.ts'

const PAUSE_MS = 1000

type FetchInfo = (options: LiteOptions) => Promise<MasterchainInfo>

async function nextHead(
  fetchInfo: FetchInfo,
  known: BlockIdExt | null,
  signal: AbortSignal,
): Promise<BlockIdExt | null> {
  try {
    const { last } = await fetchInfo(known === null ? { signal } : { signal, waitSeqno: known.seqno + 1 })
    return last
  } catch (error) {
    if (!(error instanceof LiteError)) throw error
    // No block came in time, which is fine if the server really waited.
    if (error.kind !== 'timeout') await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined)
    return null
  }
}

async function follow(fetchInfo: FetchInfo, listener: (id: BlockIdExt) => void, signal: AbortSignal): Promise<void> {
  let known: BlockIdExt | null = null
  while (!signal.aborted) {
    const head: BlockIdExt | null = await nextHead(fetchInfo, known, signal)
    if (signal.aborted || head === null || (known !== null && isSameBlock(head, known))) continue
    // The head at the start is not reported.
    if (known !== null) listener(head)
    known = head
  }
}

/** Calls back with each new head until the returned function is called. */
export function followHeads(fetchInfo: FetchInfo, listener: (id: BlockIdExt) => void): () => void {
  const controller = new AbortController()
  void follow(fetchInfo, listener, controller.signal)
  return () => controller.abort()
}
