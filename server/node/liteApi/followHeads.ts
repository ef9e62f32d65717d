// New heads of a server that reports none by itself: a question that it answers as soon as it has the next one.

import { setTimeout as delay } from 'node:timers/promises'
import type { MasterchainInfo } from '../answers.ts'
import { type BlockIdExt, isSameBlock } from '../blockId.ts'
import { LiteError } from '../errors.ts'
import type { LiteOptions } from '../liteServer.ts'

const PAUSE_MS = 1000

type Ask = (options: LiteOptions) => Promise<MasterchainInfo>

async function nextHead(ask: Ask, known: BlockIdExt | null, signal: AbortSignal): Promise<BlockIdExt | null> {
  try {
    const { last } = await ask(known === null ? { signal } : { signal, waitSeqno: known.seqno + 1 })
    return last
  } catch (error) {
    if (!(error instanceof LiteError)) throw error
    // That no block came in time is all right, as long as the wait was one.
    if (error.kind !== 'timeout') await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined)
    return null
  }
}

async function follow(ask: Ask, listener: (id: BlockIdExt) => void, signal: AbortSignal): Promise<void> {
  let known: BlockIdExt | null = null
  while (!signal.aborted) {
    const head: BlockIdExt | null = await nextHead(ask, known, signal)
    if (signal.aborted || head === null || (known !== null && isSameBlock(head, known))) continue
    // What was the newest when following began is no news.
    if (known !== null) listener(head)
    known = head
  }
}

/** Calls back with each new head until the returned function is called. */
export function followHeads(ask: Ask, listener: (id: BlockIdExt) => void): () => void {
  const controller = new AbortController()
  void follow(ask, listener, controller.signal)
  return () => controller.abort()
}
