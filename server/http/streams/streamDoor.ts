// The paths of streams over HTTP: what is served there, and what is refused.

import type { ServerResponse } from 'node:http'
import { ApiError } from '../../../shared/errors.ts'
import type { ChargedCall } from '../../methods/index.ts'
import type { Identify } from '../callers/caller.ts'
import type { HttpExchange } from '../exchange/exchange.ts'
import { sayUpgrade } from '../exchange/upgradeReply.ts'
import { VerbRefusal } from '../paths/allowOf.ts'
import { HEALTH_PATH, SOCKET_PATHS, SSE_PATHS } from '../paths/streamPaths.ts'
import { verbOf } from '../requests/head.ts'
import { type OpenStreams, type SseParts, serveSse } from './sse.ts'

export interface StreamDoor {
  serve(exchange: HttpExchange, call: ChargedCall, identify: Identify): Promise<void>
  /** Verbs of a path; null for one that is not served. */
  verbs(path: string): readonly string[] | null
  /** Ends all streams after what was written. */
  close(): void
}

const JSON_TYPE = 'application/json'

/**
 * Waits for the replies before this one; false when the connection ends first. A stream that begins behind another one has no
 * reader, and one connection could have ninety. The body stays unread meanwhile, so that few bytes of it are held.
 */
function ownTurn(res: ServerResponse): boolean | Promise<boolean> {
  if (res.socket !== null) return true
  return new Promise((resolve) => {
    res.once('socket', () => resolve(true))
    res.once('close', () => resolve(false))
  })
}

export function createStreamDoor(parts: SseParts): StreamDoor {
  const open: OpenStreams = new Set()

  async function serveHealth(exchange: HttpExchange): Promise<void> {
    const health = await parts.streams.health()
    await exchange.reply({ status: health.ok ? 200 : 503, type: JSON_TYPE, body: JSON.stringify(health) })
  }

  const verbs = (path: string): readonly string[] | null =>
    SSE_PATHS.has(path) ? ['POST'] : path === HEALTH_PATH || SOCKET_PATHS.has(path) ? ['GET'] : null

  return {
    verbs,
    async serve(exchange, call, identify) {
      const { path, req } = exchange
      const allowed = verbs(path)
      if (allowed === null) throw new ApiError('routeNotFound')
      if (!allowed.includes(verbOf(req))) throw new VerbRefusal(req.method, allowed)
      if (path === HEALTH_PATH) return await serveHealth(exchange)
      if (!SSE_PATHS.has(path)) return await sayUpgrade(exchange)
      if (await ownTurn(exchange.res)) await serveSse(parts, open, { exchange, call, identify })
    },
    close() {
      for (const stream of open) stream.end()
    },
  }
}
