// Both JSON-RPC dialects, over HTTP and WebSocket alike. The json-rpc-2.0 library runs each call; this guard stands in
// front of it because alone it answers a batch of one bare, chokes on null, has no bound on a batch and sends private
// error texts out. Ids never reach the library: they are checked here and echoed as they came.

import { type JSONRPCResponse, JSONRPCServer } from 'json-rpc-2.0'
import { ApiError, errorTable } from '../../shared/errors.ts'
import type { Registry } from '../../shared/registry.ts'
import type { Answer, ChargedCall, Dispatch } from '../methods/index.ts'
import type { Dialect, Said } from './dialect/dialect.ts'
import { strict } from './dialect/strict.ts'
import { toncenterRpc } from './dialect/toncenter.ts'
import { parseJson } from './json.ts'
import { type Plan, type Plans, paramsOfList, paramsOfObject } from './params.ts'

export type RpcDoor = 'strict' | 'toncenter'

export interface RpcLimits {
  readonly jsonDepth: number
  readonly batchItems: number
  readonly batchItemsWithKey: number
  readonly batchLanes: number
  readonly replyBytes: number
}

export interface RpcParts {
  readonly registry: Registry
  readonly plans: Plans
  readonly dispatch: Dispatch
  readonly limits: RpcLimits
}

/** The reply to one text; null when there is nothing to say. */
export type Rpc = (text: string, door: RpcDoor, call: ChargedCall) => Said | null | Promise<Said | null>

type Item = Record<string, unknown>

const isObject = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON text of an id of an allowed type, undefined for any other. */
function idText(id: unknown): string | undefined {
  if (typeof id === 'string') return JSON.stringify(id)
  if (typeof id === 'bigint') return id.toString()
  if (id === null || (typeof id === 'number' && Number.isFinite(id))) return String(id)
  return undefined
}

interface Checked {
  readonly method: string
  readonly params: unknown
}

/** Throws for what is no request. */
function check({ method, params, jsonrpc }: Item, door: RpcDoor, badId: boolean): Checked {
  const wrongVersion = door === 'strict' && jsonrpc !== '2.0'
  if (typeof method !== 'string' || wrongVersion || badId) throw new ApiError('invalidRequest')
  if (params !== undefined && (typeof params !== 'object' || (params === null && door === 'strict'))) {
    throw new ApiError('invalidRequest')
  }
  return { method, params }
}

function toParams(plan: Plan, params: unknown, door: RpcDoor): Record<string, unknown> {
  if (params === undefined || params === null) return {}
  if (!Array.isArray(params)) return paramsOfObject(plan, params as object, door === 'strict')
  if (door === 'strict') return paramsOfList(plan, params)
  if (params.length > 0) throw new ApiError('invalidParams', 'params must contain an object')
  return {}
}

export function createRpc({ registry, plans, dispatch, limits }: RpcParts): Rpc {
  const server = new JSONRPCServer<ChargedCall>({ errorListener: () => {} })
  for (const name of Object.keys(registry)) {
    server.addMethodAdvanced(name, async (request, call) => {
      const result = await dispatch.run(name, request.params as Record<string, unknown>, call)
      return { jsonrpc: '2.0', id: 0, result }
    })
  }
  server.mapErrorToJSONRPCErrorResponse = (id, error) => ({
    jsonrpc: '2.0',
    id,
    error: { code: errorTable.internal.rpc, message: errorTable.internal.text, data: error },
  })

  function outcome(response: JSONRPCResponse | null, call: ChargedCall): Answer {
    if (response?.result) return response.result as Answer
    const cause: unknown = response?.error?.data
    throw cause instanceof ApiError
      ? cause
      : new ApiError('internal', undefined, { requestId: call.requestId }, { cause })
  }

  /**
   * Through the library, unless the answer is known: then there is nothing to run. `params` is null for an unknown
   * name. That goes to dispatch all the same: it is counted and charged there.
   */
  function run(method: string, params: Record<string, unknown> | null, call: ChargedCall): Answer | Promise<Answer> {
    if (!params) return dispatch.run(method, {}, call)
    const recalled = dispatch.recall(method, params, call)
    if (recalled) return recalled
    const request = { jsonrpc: '2.0', id: 0, method, params } as const
    return Promise.resolve(server.receive(request, call)).then((response) => outcome(response, call))
  }

  function answer(
    item: unknown,
    door: RpcDoor,
    dialect: Dialect,
    call: ChargedCall,
  ): Said | null | Promise<Said | null> {
    const started = performance.now()
    const envelope = { ms: 0, verb: 'POST' as const, id: null as string | null }
    let silent = false
    let method: string | null = null
    let charged = false
    const succeed = (result: Answer): Said | null => {
      if (silent) return null
      envelope.ms = performance.now() - started
      return { status: 200, text: dialect.success(result, envelope) }
    }
    const fail = (error: unknown): Said | null => {
      const sent = asApiError(error, call)
      const told = charged ? sent : dispatch.refuse(method, sent, call)
      if (silent) return null
      envelope.ms = performance.now() - started
      return dialect.failure(told, envelope)
    }
    try {
      if (!isObject(item)) throw new ApiError('invalidRequest')
      const hasId = Object.hasOwn(item, 'id')
      const id = hasId ? idText(item.id) : undefined
      envelope.id = id ?? null
      const checked = check(item, door, hasId && id === undefined)
      // The toncenter dialect answers a call without an id as any other.
      silent = door === 'strict' && !hasId
      method = checked.method
      const plan = plans.get(method)
      const params = plan ? toParams(plan, checked.params, door) : null
      charged = true
      const result = run(method, params, call)
      return result instanceof Promise ? result.then(succeed, fail) : succeed(result)
    } catch (error) {
      return fail(error)
    }
  }

  async function batch(
    items: readonly unknown[],
    door: RpcDoor,
    dialect: Dialect,
    call: ChargedCall,
  ): Promise<Said | null> {
    const most = call.caller.keyId === null ? limits.batchItems : limits.batchItemsWithKey
    const whole = (error: ApiError) =>
      dialect.failure(dispatch.refuse(null, error, call), { ms: 0, verb: 'POST', id: null })
    if (items.length === 0) return whole(new ApiError('invalidRequest'))
    if (items.length > most) {
      return whole(new ApiError('batchTooLarge', `Batch too large: ${most} calls at most`, { limit: most }))
    }
    const replies: (Said | null)[] = new Array(items.length).fill(null)
    let next = 0
    let size = 0
    const lane = async () => {
      while (next < items.length) {
        const i = next++
        const saying = size > limits.replyBytes ? full(items[i], door, dialect) : answer(items[i], door, dialect, call)
        const reply = saying instanceof Promise ? await saying : saying
        replies[i] = reply
        size += reply?.text.length ?? 0
      }
    }
    await Promise.all(Array.from({ length: Math.min(limits.batchLanes, items.length) }, lane))
    const said = replies.filter((reply) => reply !== null)
    if (said.length === 0) return null
    const limited = said.every((reply) => reply.status === errorTable.rateLimited.http)
    const text = `[${said.map((reply) => reply.text).join(',')}]`
    if (!limited) return { status: 200, text }
    const retryAfter = Math.min(...said.map((reply) => reply.retryAfter ?? 1))
    return { status: errorTable.rateLimited.http, text, retryAfter }
  }

  /** The batch's reply is as long as it may get: the rest is refused without being run. */
  function full(item: unknown, door: RpcDoor, dialect: Dialect): Said | null {
    if (door === 'strict' && isObject(item) && !Object.hasOwn(item, 'id')) return null
    const id = isObject(item) ? (idText(item.id) ?? null) : null
    const limit = limits.replyBytes
    const error = new ApiError('replyTooLarge', `Reply too large: ${limit} bytes at most for one batch`, { limit })
    return dialect.failure(error, { ms: 0, verb: 'POST', id })
  }

  return (text, door, call) => {
    const dialect = door === 'strict' ? strict : toncenterRpc
    let parsed: unknown
    try {
      parsed = parseJson(text, limits.jsonDepth)
    } catch (error) {
      const sent = dispatch.refuse(null, asApiError(error, call), call)
      return dialect.failure(sent, { ms: 0, verb: 'POST', id: null })
    }
    return Array.isArray(parsed) ? batch(parsed, door, dialect, call) : answer(parsed, door, dialect, call)
  }
}

export const asApiError = (error: unknown, { requestId }: { readonly requestId: string }): ApiError =>
  error instanceof ApiError ? error : new ApiError('internal', undefined, { requestId }, { cause: error })
