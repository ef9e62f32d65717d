// What callers do with their webhooks. Requests come as plain values, because a worker process passes them on to the one that
// has the database.

import { ApiError } from '../../shared/errors.ts'
import { StoreError } from '../store/index.ts'
import { SubscriptionRefused } from '../streaming/index.ts'
import { createFairTransactions } from './fairTransactions.ts'
import { ownerOf } from './owner.ts'
import type { Posting } from './postWebhook.ts'
import { createSamplePosts } from './samplePosts.ts'
import { routes } from './webhookRoutes.ts'
import type { WebhooksRequest, WebhooksServiceParts } from './webhooksRequest.ts'

export interface WebhooksAnswer {
  readonly status: number
  readonly json: string
}

/** Rejects with ApiError. The signal aborts when the caller is gone. */
export type WebhooksService = (request: WebhooksRequest, signal: AbortSignal) => Promise<WebhooksAnswer>

function asApiError(error: unknown): unknown {
  if (error instanceof SubscriptionRefused) return new ApiError('invalidParams', error.message)
  if (!(error instanceof StoreError)) return error
  if (error.code === 'full')
    return new ApiError('diskFull', 'no room on the disk for webhooks', { retryAfter: 5 }, { cause: error })
  return new ApiError('busy', 'webhooks cannot be read or changed now', {}, { cause: error })
}

/** Verbs of a path; null for one that is not served. */
export function verbsOfWebhooks(path: string): readonly string[] | null {
  const verbs = routes.filter((route) => route.path.test(path)).map(({ verb }) => verb)
  return verbs.length === 0 ? null : verbs
}

export function createWebhooksService(parts: WebhooksServiceParts): WebhooksService {
  const samplePost = createSamplePosts(parts.post)
  const databaseFor = createFairTransactions(parts.database)
  return async (request, signal) => {
    const fitting = routes.filter(({ path }) => path.test(request.path))
    const route = fitting.find(({ verb }) => verb === request.verb)
    if (route === undefined) throw new ApiError(fitting.length === 0 ? 'routeNotFound' : 'verbNotAllowed')
    const owner = ownerOf(request)
    try {
      const words = route.path.exec(request.path)?.slice(1) ?? []
      const { subject } = request.caller
      const sample = (posting: Posting) => samplePost(subject, posting, signal)
      const fair = { ...parts, database: databaseFor(subject, signal) }
      const value = await route.serve({ parts: fair, request, owner, words, sample })
      return { status: 200, json: typeof value === 'string' ? value : JSON.stringify(value) }
    } catch (error) {
      throw asApiError(error)
    }
  }
}
