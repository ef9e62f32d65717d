// Where streams are served: under our own paths, and under those another service of this protocol has.

export const SSE_PATHS: ReadonlySet<string> = new Set(['/api/streaming/v2/sse', '/streaming/v2/sse'])
export const SOCKET_PATHS: ReadonlySet<string> = new Set(['/api/streaming/v2/ws', '/streaming/v2/ws'])
export const HEALTH_PATH = '/api/streaming/healthz'
