// Work on one server of the pool, without another one to fall back on.

import { manyListeners } from '../../process/index.ts'
import type { LiteServer } from '../liteServer.ts'
import type { PoolMember } from './poolMember.ts'
import { ServerTry } from './serverTry.ts'

/** Rejects with LiteError when it is away. */
export async function runOnce<T>(
  member: PoolMember,
  work: (server: LiteServer) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  member.take()
  const own = new ServerTry<T>(member, null)
  const stop = (): void => own.end()
  // Work on each server of a long list listens to one signal.
  manyListeners(signal)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const { result } = await own.begin(work).ended()
    if (result === null || 'error' in result) throw result?.error
    return result.value
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
