// Work on one server of the pool, without another one to fall back on.

import type { LiteServer } from '../liteServer.ts'
import type { PoolMember } from './poolMember.ts'

/** Rejects with LiteError when it is away. */
export async function runOnce<T>(
  member: PoolMember,
  work: (server: LiteServer) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  member.take()
  const end = new AbortController()
  const stop = (): void => end.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await work(member.reading(end.signal))
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
