// The REST mirror: each route of the registry, served by Koa. The router holds the routes; which of them a path and
// verb mean is looked up once at start, because trying ninety patterns per request costs more than the call itself.

import { Router } from '@koa/router'
import type { Context } from 'koa'
import { ApiError } from '../../../shared/errors.ts'
import { isOfEmulation, versionOfPath } from '../../../shared/method.ts'
import type { Registry } from '../../../shared/registry.ts'
import {
  after,
  answerWithin,
  bytesWithin,
  type ChargedCall,
  type Dispatch,
  type Question,
  type RunAnswer,
} from '../../methods/index.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { emulationDialect } from '../dialect/emulationDialect.ts'
import { plain } from '../dialect/plain.ts'
import { toncenter } from '../dialect/toncenter.ts'
import { asApiError } from '../exchange/asApiError.ts'
import type { HttpExchange } from '../exchange/exchange.ts'
import { QUERY_MODIFIERS } from '../exchange/httpCall.ts'
import { VerbRefusal } from '../paths/allowOf.ts'
import { noRoute } from '../paths/noRoute.ts'
import { type ParamPlan, type Plans, paramsOfObject, paramsOfQuery } from '../requests/callParams.ts'
import { verbOf } from '../requests/head.ts'
import { parseJson } from '../requests/json.ts'
import { ignoredHeader, namesOfQuery, namingMisspelt } from '../requests/misspelt.ts'
import { Recent } from '../requests/recent.ts'
import { readRequestBody } from '../requests/requestBody.ts'
import { createV4, isV4Path } from './createV4.ts'

export interface RestParts {
  readonly registry: Registry
  readonly plans: Plans
  readonly dispatch: Dispatch
  readonly limits: { readonly bodyBytes: number; readonly jsonDepth: number }
  /** The exchange the front began for this request. */
  readonly exchangeOf: (context: Context) => HttpExchange
}

interface Target {
  readonly name: string
  readonly dialect: Dialect
}

/** What a query means, and the header about what of it was ignored. */
interface ReadQuery {
  readonly question: Question
  readonly ignored: readonly string[]
}

type Handler = (context: Context) => void | Promise<void>

/** Names in a query that are not for the method. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set(['api_key', ...QUERY_MODIFIERS])
/** Of a body. */
const NONE_ELSEWHERE: ReadonlySet<string> = new Set()
const JSON_TYPE = 'application/json'

const dialectOf = (path: string): Dialect =>
  versionOfPath(path) === 'v2' ? toncenter : isOfEmulation(path) ? emulationDialect : plain

/** What a step throws or rejects with is answered by `refuse`. */
function orElse(
  step: () => void | Promise<void>,
  refuse: (error: unknown) => void | Promise<void>,
): void | Promise<void> {
  try {
    const going = step()
    return going instanceof Promise ? going.catch(refuse) : going
  } catch (error) {
    return refuse(error)
  }
}

function callOf({ call }: HttpExchange): ChargedCall {
  if (!call) throw new Error('a call without a caller')
  return call
}

/** The envelope of a reply in both dialects. */
function envelopeOf(exchange: HttpExchange) {
  const verb = exchange.req.method === 'POST' ? 'POST' : 'GET'
  return { ms: exchange.elapsed, verb, id: null } as const
}

type RoutesByPath = ReadonlyMap<string, ReadonlyMap<string, Handler>>

/** Handlers by path and verb. Throws for two routes that a request could mean. */
function routesOf(registry: Registry, handlerOf: (target: Target) => Handler): RoutesByPath {
  const router = new Router({ sensitive: true, strict: true })
  const routes = new Map<string, Map<string, Handler>>()
  for (const [name, spec] of Object.entries(registry)) {
    for (const { verb, path } of spec.rest) {
      if (routes.get(path)?.has(verb)) throw new Error(`${verb} ${path} stands for two methods`)
      const handler = handlerOf({ name, dialect: dialectOf(path) })
      router.register(path, [verb], handler)
      const [layer] = router.match(path, verb).pathAndMethod
      if (layer?.stack[0] !== handler) throw new Error(`${verb} ${path} is shadowed by another route`)
      routes.set(path, (routes.get(path) ?? new Map<string, Handler>()).set(verb, handler))
    }
  }
  return routes
}

/** Answers every request it gets. */
export type Rest = (context: Context) => void | Promise<void>

class RestMirror {
  readonly #parts: RestParts
  readonly #v4: ReturnType<typeof createV4>
  readonly #recent = new Recent<ReadQuery>()
  readonly #routes: RoutesByPath

  constructor(parts: RestParts) {
    this.#parts = parts
    this.#v4 = createV4(parts)
    this.#routes = routesOf(parts.registry, (target) => (context) => this.#serve(parts.exchangeOf(context), target))
  }

  handle(context: Context): void | Promise<void> {
    const exchange = this.#parts.exchangeOf(context)
    const decided = this.#routes.get(exchange.path)?.get(verbOf(exchange.req))
    if (decided) return decided(context)
    return isV4Path(exchange.path) ? this.#v4(exchange, callOf(exchange)) : this.#miss(exchange)
  }

  /** At once where nothing is waited for: promises cost as much as finding a cached answer. */
  #serve(exchange: HttpExchange, target: Target): void | Promise<void> {
    const { dispatch } = this.#parts
    const { name, dialect } = target
    const call = callOf(exchange)
    let body: object | null = null
    const names = () => (body === null ? namesOfQuery(exchange.query) : Object.keys(body))
    const refuse = (error: ApiError) => exchange.refuse(dialect, error, envelopeOf(exchange))
    const refuseUncharged = (error: unknown) => after(dispatch.refuse(name, asApiError(error, exchange), call), refuse)
    const succeed = (answer: RunAnswer) => {
      const around = dialect.around(answer.isCached, envelopeOf(exchange))
      const isCached = answer.isCached && around[1] === ''
      const body = answerWithin(around, answer)
      return exchange.reply({ status: 200, type: JSON_TYPE, body, bytes: bytesWithin(around, answer), isCached })
    }
    const answer = (question: Question): void | Promise<void> =>
      orElse(
        () => after(dispatch.ask(question, call), succeed),
        (error) => refuse(namingMisspelt(asApiError(error, exchange), this.#planOf(name), names)),
      )
    if (exchange.req.method === 'POST')
      return this.#bodyOf(exchange)
        .then((sent) => {
          body = sent
          const plan = this.#planOf(name)
          const params = paramsOfObject(plan, sent, false)
          if (Object.keys(sent).length > Object.keys(params).length)
            exchange.hint = [...exchange.hint, ...ignoredHeader(plan, names(), NONE_ELSEWHERE)]
          return dispatch.question(name, params)
        })
        .then(answer, refuseUncharged)
    let question: Question
    try {
      question = this.#questionOfUrl(exchange, target)
    } catch (error) {
      return refuseUncharged(error)
    }
    return answer(question)
  }

  #planOf(name: string): ParamPlan {
    const plan = this.#parts.plans.get(name)
    if (!plan) throw new Error(`no plan for ${name}`)
    return plan
  }

  #questionOfUrl(exchange: HttpExchange, target: Target): Question {
    const { question, ignored } = this.#readUrl(exchange, target)
    if (ignored.length > 0) exchange.hint = [...exchange.hint, ...ignored]
    return question
  }

  #readUrl({ query, req }: HttpExchange, { name, dialect }: Target): ReadQuery {
    const url = req.url ?? ''
    const known = this.#recent.get(url)
    if (known) return known
    const plan = this.#planOf(name)
    const params = paramsOfQuery(plan, query, dialect === toncenter ? 'v2' : 'v3')
    const question = this.#parts.dispatch.question(name, params)
    // Of most calls every part of the query became a parameter.
    const mayIgnore = query.split('&').length > Object.keys(params).length
    const read = { question, ignored: mayIgnore ? ignoredHeader(plan, namesOfQuery(query), READ_ELSEWHERE) : [] }
    // A key in it is not to be kept.
    if (question.key !== '' && !query.includes('api_key')) this.#recent.set(url, read)
    return read
  }

  async #bodyOf(exchange: HttpExchange): Promise<object> {
    const { bodyBytes, jsonDepth } = this.#parts.limits
    const text = await readRequestBody(exchange.req, bodyBytes)
    const body = text.trim() === '' ? {} : parseJson(text, jsonDepth)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new ApiError('invalidParams', 'the body must be a JSON object')
    }
    return body
  }

  /** A path or verb that no route has. */
  #miss(exchange: HttpExchange): void | Promise<void> {
    const served = this.#routes.get(exchange.path)
    const error = served
      ? new VerbRefusal(exchange.req.method, [...served.keys()])
      : noRoute(exchange.path, this.#routes.keys())
    const dialect = exchange.door === 'plain' ? plain : toncenter
    const refused = this.#parts.dispatch.refuse(null, error, callOf(exchange))
    return after(refused, (known) => exchange.refuse(dialect, known, envelopeOf(exchange)))
  }
}

export function createRest(parts: RestParts): Rest {
  const mirror = new RestMirror(parts)
  return (context) => mirror.handle(context)
}
