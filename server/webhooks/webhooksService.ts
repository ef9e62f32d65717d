// What callers do with their webhooks. Requests come as plain values, because a worker process passes them on to the one that
// has the database.

import { ApiError } from '../../shared/errors.ts'
import { StoreError } from '../store/index.ts'
import { SubscriptionRefused } from '../streaming/index.ts'
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
  if (error instanceof StoreError)
    return new ApiError('busy', 'webhooks cannot be read or changed now', {}, { cause: error })
  return error
}

export function createWebhooksService(parts: WebhooksServiceParts): WebhooksService {
  const samplePost = createSamplePosts(parts.post)
  return async (request, signal) => {
    const fitting = routes.filter(({ path }) => path.test(request.path))
    if (fitting.length === 0) throw new ApiError('routeNotFound')
    const route = fitting.find(({ verb }) => verb === request.verb)
    if (route === undefined) {
      const verbs = fitting.map(({ verb }) => verb).join(', ')
      throw new ApiError('verbNotAllowed', `method ${request.verb.slice(0, 16)} is not supported: use ${verbs}`)
    }
    const owner = ownerOf(request)
    try {
      const words = route.path.exec(request.path)?.slice(1) ?? []
      const sample = (posting: Posting) => samplePost(request.caller.subject, posting, signal)
      const value = await route.serve({ parts, request, owner, words, sample })
      return { status: 200, json: typeof value === 'string' ? value : JSON.stringify(value) }
    } catch (error) {
      throw asApiError(error)
    }
  }
}
