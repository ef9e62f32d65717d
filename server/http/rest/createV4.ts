// The v4 interface over REST: paths with parts that vary, answered by calls of v2. Replies are bare, failures `{"error": text}`.

import type { Api } from '../../../shared/registry.ts'
import { parseInSlices } from '../../fairness/index.ts'
import { type AskV2, type ChargedCall, type Dispatch, v4Answer } from '../../methods/index.ts'
import { asApiError } from '../exchange/asApiError.ts'
import type { HttpExchange } from '../exchange/exchange.ts'
import { refusePlainly } from '../exchange/refusePlainly.ts'
import { sayUpgrade } from '../exchange/upgradeReply.ts'
import { VerbRefusal } from '../paths/allowOf.ts'
import { noRoute } from '../paths/noRoute.ts'
import { WATCH_PATHS } from '../paths/streamPaths.ts'
import { verbOf } from '../requests/head.ts'
import { parseJson } from '../requests/json.ts'
import { readRequestBody } from '../requests/requestBody.ts'

const PREFIX = '/api/v4'

export const isV4Path = (path: string): boolean => path.startsWith(`${PREFIX}/`)

/** Verbs of a path; null for one that is not served. */
export function verbsOfV4(path: string): readonly string[] | null {
  if (WATCH_PATHS.has(path)) return ['GET']
  const answer = v4Answer('', path.slice(PREFIX.length))
  return typeof answer === 'function' ? null : answer
}

export interface V4Parts {
  readonly dispatch: Pick<Dispatch, 'run' | 'perform' | 'refuse'>
  readonly limits: { readonly bodyBytes: number; readonly jsonDepth: number }
}

export function createV4({ dispatch, limits }: V4Parts): (exchange: HttpExchange, call: ChargedCall) => Promise<void> {
  return async (exchange, call) => {
    let isCharged = false
    const slicing = { subject: call.caller.subject, signal: call.signal }
    const ask: AskV2 = async (name, params) => {
      // A request costs its first call; the others belong to it.
      const running = isCharged ? dispatch.perform(name, params, call) : dispatch.run(name, params, call)
      isCharged = true
      const { json } = await running
      // The cast: the text is a result of this method.
      return (await parseInSlices(json, slicing)) as Api[typeof name]['result']
    }
    try {
      if (WATCH_PATHS.has(exchange.path)) {
        if (verbOf(exchange.req) !== 'GET') throw new VerbRefusal(exchange.req.method, ['GET'])
        return await sayUpgrade(exchange)
      }
      const answer = v4Answer(verbOf(exchange.req), exchange.path.slice(PREFIX.length))
      if (answer === null) throw noRoute(exchange.path, [])
      if (typeof answer !== 'function') throw new VerbRefusal(exchange.req.method, [...answer])
      const { req } = exchange
      const body = req.method === 'POST' ? await readRequestBody(req, limits.bodyBytes) : ''
      const json = () => parseJson(body, limits.jsonDepth)
      const request = { body, json, query: new URLSearchParams(exchange.query), slicing }
      const { text } = await answer(ask, request)
      await exchange.reply({ status: 200, type: 'application/json', body: text })
    } catch (error) {
      const sent = asApiError(error, exchange)
      const known = isCharged ? sent : await dispatch.refuse(null, sent, call)
      await refusePlainly(exchange, known)
    }
  }
}
