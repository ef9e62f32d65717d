// Where streams are served: under our own paths, and under those another service of this protocol has.

import type { Watched } from '../../streaming/index.ts'

const STARTS = ['/api/streaming/', '/streaming/v2/']

/** Whether a path is below those of streams, served or not. */
export const isStreamPath = (path: string): boolean => STARTS.some((start) => path.startsWith(start))

export const SSE_PATHS: ReadonlySet<string> = new Set(['/api/streaming/v2/sse', '/streaming/v2/sse'])
export const SOCKET_PATHS: ReadonlySet<string> = new Set(['/api/streaming/v2/ws', '/streaming/v2/ws'])
export const HEALTH_PATH = '/api/streaming/healthz'
/** WebSockets of the v4 interface, and what each is sent. */
export const WATCH_PATHS: ReadonlyMap<string, Watched> = new Map([
  ['/api/v4/block/watch', 'heads'],
  ['/api/v4/block/watch/changed', 'changes'],
])
