// The HTTP side of keys: what a caller may know of the own key, and the administration for operators.

import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../../shared/errors.ts'
import type { Access } from '../../access/index.ts'
import type { ChargedCall, Dispatch } from '../../methods/index.ts'
import { chargeAnswer } from '../callers/chargeOne.ts'
import type { WhyNoControl } from '../callers/controlAccess.ts'
import { asApiError } from '../exchange/asApiError.ts'
import type { HttpExchange } from '../exchange/exchange.ts'
import { refusePlainly } from '../exchange/refusePlainly.ts'
import type { HttpLimits, HttpOptions } from '../httpOptions.ts'
import { VerbRefusal } from '../paths/allowOf.ts'
import { isKeysPath, OWN_KEY_PATH, verbsOfKeys } from '../paths/keysPaths.ts'
import { verbOf } from '../requests/head.ts'
import { readRequestBody } from '../requests/requestBody.ts'
import { createRequireAdmin } from './keysAdmin.ts'
import type { KeysAnswer, KeysService } from './keysRequest.ts'

export interface KeysApiParts {
  readonly access: Pick<Access, 'spend' | 'count' | 'countBytes'>
  readonly keys: KeysService
  readonly dispatch: Pick<Dispatch, 'refuse'>
  readonly options: Pick<HttpOptions, 'adminToken'> & { readonly limits: Pick<HttpLimits, 'bodyBytes'> }
  readonly whyNoControl: WhyNoControl
}

/** Null for a path that is not of keys. */
export type KeysApi = (exchange: HttpExchange, call: ChargedCall) => Promise<void> | null

function tokenOf({ headers }: IncomingMessage): string {
  const own = headers['x-admin-token']
  if (typeof own === 'string') return own
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}

/** The process that keeps the keys refuses a verb by its kind alone. */
const withVerbs = (error: ApiError, { req, path }: HttpExchange): ApiError =>
  error.kind === 'verbNotAllowed' ? new VerbRefusal(req.method, verbsOfKeys(path) ?? []) : error

export function createKeysApi({ access, keys, dispatch, options, whyNoControl }: KeysApiParts): KeysApi {
  const requireAdmin = createRequireAdmin(options.adminToken)

  async function passOn({ req, path, query }: HttpExchange, { caller }: ChargedCall): Promise<KeysAnswer> {
    const isControl = whyNoControl(req) === null
    const request = { verb: verbOf(req), path, query, token: tokenOf(req), caller, isControl }
    // A stranger's body is not read.
    if (path !== OWN_KEY_PATH) requireAdmin(request)
    return await keys({ ...request, body: await readRequestBody(req, options.limits.bodyBytes) })
  }

  /** Costs what a call costs. */
  async function own(exchange: HttpExchange, call: ChargedCall): Promise<KeysAnswer> {
    if (verbOf(exchange.req) !== 'GET') throw new ApiError('verbNotAllowed')
    return await chargeAnswer(access, { call, name: 'keys.me' }, async () => {
      if (call.caller.keyId === null)
        throw new ApiError('unauthorized', 'no key was sent: send it as header X-API-Key or query parameter api_key')
      return await passOn(exchange, call)
    })
  }

  async function serve(exchange: HttpExchange, call: ChargedCall): Promise<void> {
    const isOwn = exchange.path === OWN_KEY_PATH
    try {
      const { status, json } = await (isOwn ? own(exchange, call) : passOn(exchange, call))
      const headers = ['Cache-Control', 'no-store']
      await exchange.reply({ status, type: 'application/json', body: json, headers })
    } catch (thrown) {
      const error = withVerbs(asApiError(thrown, exchange), exchange)
      if (error.kind === 'internal') throw thrown
      // A guess costs what a call costs; an operator pays nothing.
      const isGuess = error.kind === 'forbidden'
      const sent = isGuess ? await dispatch.refuse(null, error, call) : error
      await refusePlainly(exchange, sent)
    }
  }

  return (exchange, call) => (isKeysPath(exchange.path) ? serve(exchange, call) : null)
}
