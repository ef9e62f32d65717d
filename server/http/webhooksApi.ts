// The HTTP side of webhooks: their paths, under the root as another service has them and under our own.

import { ApiError } from '../../shared/errors.ts'
import type { Access } from '../access/index.ts'
import type { ChargedCall } from '../methods/index.ts'
import type { WebhooksService } from '../webhooks/index.ts'
import { chargeAnswer } from './callers/chargeOne.ts'
import { asApiError } from './exchange/asApiError.ts'
import type { HttpExchange } from './exchange/exchange.ts'
import { refusePlainly } from './exchange/refusePlainly.ts'
import type { HttpLimits } from './httpOptions.ts'
import { VerbRefusal } from './paths/allowOf.ts'
import { verbsOfWebhooksPath, webhooksPath } from './paths/webhooksPaths.ts'
import { verbOf } from './requests/head.ts'
import { readRequestBody } from './requests/requestBody.ts'

export interface WebhooksApiParts {
  readonly access: Pick<Access, 'spend' | 'count' | 'countBytes'>
  readonly webhooks: WebhooksService | null
  /** Whether callers who control the chain need no key. */
  readonly isControlled: boolean
  readonly options: { readonly limits: Pick<HttpLimits, 'bodyBytes'> }
}

const NONE = 'this service delivers no webhooks: it has no index'

/** Serves the paths of webhooks. Each costs one call. */
export function createWebhooksApi(parts: WebhooksApiParts) {
  const { access, webhooks, isControlled, options } = parts

  async function answer(
    { req, path, query }: HttpExchange,
    call: ChargedCall,
  ): Promise<{ status: number; json: string }> {
    return await chargeAnswer(access, { call, name: 'webhooks' }, async () => {
      if (webhooks === null) throw new ApiError('routeNotFound', NONE)
      const body = await readRequestBody(req, options.limits.bodyBytes)
      const mayControl = isControlled && call.whyNoControl === null
      const request = { verb: verbOf(req), path: webhooksPath(path), query, body, caller: call.caller, mayControl }
      return await webhooks(request, call.signal)
    })
  }

  return async (exchange: HttpExchange, call: ChargedCall): Promise<void> => {
    try {
      const { status, json } = await answer(exchange, call)
      await exchange.reply({ status, type: 'application/json', body: json, headers: ['Cache-Control', 'no-store'] })
    } catch (thrown) {
      const error = asApiError(thrown, exchange)
      if (error.kind === 'internal') throw thrown
      const verbs = error.kind === 'verbNotAllowed' ? verbsOfWebhooksPath(exchange.path) : null
      const known = verbs === null ? error : new VerbRefusal(exchange.req.method, verbs)
      await refusePlainly(exchange, known)
    }
  }
}

export type WebhooksApi = ReturnType<typeof createWebhooksApi>
