// What comes from a caller, and what serving it needs.

import type { Caller } from '../access/index.ts'
import type { BlockRowsFeed, Database } from '../store/index.ts'
import type { BlockNotices } from '../streaming/index.ts'
import type { Post, PostRules } from './postWebhook.ts'

export interface WebhooksRequest {
  readonly verb: string
  /** Behind the root of the interface: `/webhooks/5/logs`. */
  readonly path: string
  readonly query: string
  readonly body: string
  readonly caller: Caller
  /** Whether the caller controls the embedded chain, and needs no key. */
  readonly mayControl: boolean
}

export interface WebhooksServiceParts {
  readonly database: Pick<Database, 'transaction'>
  readonly feed: Pick<BlockRowsFeed, 'head' | 'block'>
  readonly notices: Pick<BlockNotices, 'read'>
  readonly post: Post
  readonly rules: PostRules
  /** JSON with bounds. Throws ApiError. */
  readonly parse: (text: string) => unknown
  /** Called after a webhook was added, changed or removed. */
  readonly changed: (id: bigint) => void
}
