// Which dialect a path is answered in.

import type { Dialect } from './dialect/dialect.ts'
import { plain } from './dialect/plain.ts'
import { strict } from './dialect/strict.ts'
import { toncenter } from './dialect/toncenter.ts'
import { isKeysPath } from './keysPaths.ts'
import { isStreamPath } from './relay.ts'
import { isWebhooksPath } from './webhooksPaths.ts'

/** `page` is everything that is not an API call. */
export type DialectDoor = 'toncenter' | 'plain' | 'strict' | 'page'

export const DIALECTS: Readonly<Record<DialectDoor, Dialect>> = { strict, toncenter, plain, page: plain }

/** By a path without its query. */
export function doorOf(path: string): DialectDoor {
  if (path === '/jsonRPC') return 'strict'
  if (path.startsWith('/api/v2/') && path.length > 8) return 'toncenter'
  if (path.startsWith('/acton_')) return 'toncenter'
  if (path.startsWith('/api/v3/') && path.length > 8) return 'plain'
  if (path.startsWith('/api/emulate/') || path.startsWith('/api/v4/')) return 'plain'
  if (isKeysPath(path) || isStreamPath(path) || isWebhooksPath(path)) return 'plain'
  return 'page'
}
