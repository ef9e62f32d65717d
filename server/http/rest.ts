// The REST mirror: each route of the registry, served by Koa. The router matches the two interfaces and a table of
// exact paths does the rest: walking ninety patterns per request costs more than the call itself.

import { Router } from '@koa/router'
import type { Context } from 'koa'
import { ApiError } from '../../shared/errors.ts'
import type { Registry } from '../../shared/registry.ts'
import type { Dispatch } from '../methods/index.ts'
import { readBody } from './body.ts'
import type { Dialect } from './dialect/dialect.ts'
import { plain } from './dialect/plain.ts'
import { toncenter } from './dialect/toncenter.ts'
import type { Exchange } from './exchange.ts'
import { parseJson } from './json.ts'
import { type Plan, paramsOfObject, paramsOfQuery } from './params.ts'
import { asApiError } from './rpc.ts'
import { VerbRefusal } from './verb.ts'

export interface RestParts {
  readonly registry: Registry
  readonly plans: ReadonlyMap<string, Plan>
  readonly dispatch: Dispatch
  readonly limits: { readonly bodyBytes: number; readonly jsonDepth: number }
  /** The exchange the front began for this request. */
  readonly exchangeOf: (context: Context) => Exchange
}

interface Target {
  readonly name: string
  readonly plan: Plan
}

type Verbs = Map<string, Target>

const JSON_TYPE = 'application/json'

function tableOf(registry: Registry, plans: ReadonlyMap<string, Plan>): Map<string, Verbs> {
  const table = new Map<string, Verbs>()
  for (const [name, spec] of Object.entries(registry)) {
    const plan = plans.get(name)
    if (!plan) throw new Error(`no plan for ${name}`)
    for (const { verb, path } of spec.rest) {
      const verbs = table.get(path) ?? new Map<string, Target>()
      if (verbs.has(verb)) throw new Error(`${verb} ${path} stands for two methods`)
      table.set(path, verbs.set(verb, { name, plan }))
    }
  }
  return table
}

export function createRest(parts: RestParts): Router {
  const table = tableOf(parts.registry, parts.plans)

  async function paramsOfBody(exchange: Exchange, plan: Plan): Promise<Record<string, unknown>> {
    const text = await readBody(exchange.req, parts.limits.bodyBytes)
    const body = text.trim() === '' ? {} : parseJson(text, parts.limits.jsonDepth)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new ApiError('invalidParams', 'the body must be a JSON object')
    }
    return paramsOfObject(plan, body, false)
  }

  function targetOf(exchange: Exchange, verb: string): Target {
    const verbs = table.get(exchange.path)
    if (!verbs) throw new ApiError('routeNotFound')
    const target = verbs.get(verb)
    if (target) return target
    throw new VerbRefusal(verb, [...verbs.keys()])
  }

  async function serve(exchange: Exchange, dialect: Dialect): Promise<void> {
    const asked = exchange.req.method ?? 'GET'
    const verb = asked === 'HEAD' ? 'GET' : asked
    const envelope = () => ({
      ms: exchange.elapsed,
      verb: verb === 'GET' ? ('GET' as const) : ('POST' as const),
      id: null,
    })
    const { call } = exchange
    if (!call) throw new Error('a call without a caller')
    let name: string | null = null
    let charged = false
    try {
      const target = targetOf(exchange, verb)
      name = target.name
      const params =
        verb === 'GET'
          ? paramsOfQuery(target.plan, new URLSearchParams(exchange.query))
          : await paramsOfBody(exchange, target.plan)
      charged = true
      const running = parts.dispatch.run(name, params, call)
      const answer = running instanceof Promise ? await running : running
      await exchange.reply({ status: 200, type: JSON_TYPE, body: dialect.success(answer, envelope()) })
    } catch (error) {
      const sent = asApiError(error, exchange)
      const told = charged ? sent : parts.dispatch.refuse(name, sent, call)
      await exchange.refuse(dialect, told, envelope())
    }
  }

  const router = new Router({ sensitive: true })
  // Expressions without groups: nothing is captured, so nothing has to be decoded.
  router.all(/^\/api\/v2\//, (context) => serve(parts.exchangeOf(context), toncenter))
  router.all(/^\/api\/v3\//, (context) => serve(parts.exchangeOf(context), plain))
  return router
}
