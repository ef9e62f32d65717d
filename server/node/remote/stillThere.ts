import type { BlockIdExt } from '../blockId.ts'
import { LiteError } from '../liteErrors.ts'
import { attemptOn, type LiteOptions, type LiteServer } from '../liteServer.ts'

/** How long a server that went back may take to have the block again. */
const LIMIT_MS = 1_000
/** How long the answer of a slow one is waited for. */
const SLOW_MS = 5_000

async function answerOf(server: LiteServer, id: BlockIdExt, options: LiteOptions): Promise<boolean | 'late' | null> {
  try {
    await attemptOn(server, (one) => one.header(id, 0, options), { ...options, about: id })
    return true
  } catch (error) {
    if (!(error instanceof LiteError)) return null
    if (error.kind === 'timeout') return 'late'
    return error.isMissing ? false : null
  }
}

/** Whether servers still have a proven block; null when none answered. Never rejects. */
export async function stillThere(server: LiteServer, id: BlockIdExt, signal?: AbortSignal): Promise<boolean | null> {
  const found = await answerOf(server, id, { timeoutMs: LIMIT_MS, signal })
  if (found !== 'late') return found
  // A server waits for the block, or is only slow: a call that waits for no block shows which.
  const now = await answerOf(server, id, { timeoutMs: SLOW_MS, signal, waitSeqno: 0 })
  return now === 'late' ? null : now
}
