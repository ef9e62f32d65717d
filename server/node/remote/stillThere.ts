import type { BlockIdExt } from '../blockId.ts'
import { LiteError } from '../liteErrors.ts'
import { attemptOn, type LiteServer } from '../liteServer.ts'

/** How long a server that went back may take to have the block again. */
const LIMIT_MS = 1_000

/** Whether servers still have a proven block; null when none answered. Never rejects. */
export async function stillThere(server: LiteServer, id: BlockIdExt, signal: AbortSignal): Promise<boolean | null> {
  const options = { timeoutMs: LIMIT_MS, signal }
  try {
    await attemptOn(server, (one) => one.header(id, 0, options), { ...options, about: id })
    return true
  } catch (error) {
    return error instanceof LiteError && (error.isMissing || error.kind === 'timeout') ? false : null
  }
}
