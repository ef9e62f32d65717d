// Both JSON-RPC dialects, over HTTP and WebSocket alike. The json-rpc-2.0 library runs each call; this guard stands in
// front of it because alone it answers a batch of one bare, chokes on null, has no bound on a batch and sends private
// error texts out.

import { ApiError, type ErrorKind } from '../../shared/errors.ts'
import type { Registry } from '../../shared/registry.ts'
import type { Turns } from '../fairness/index.ts'
import { type Answer, after, type ChargedCall, type Dispatch } from '../methods/index.ts'
import { DemandingCall } from './batchCall.ts'
import type { Plans } from './callParams.ts'
import type { Dialect, ReplyEnvelope, WrittenReply } from './dialect/dialect.ts'
import { strict } from './dialect/strict.ts'
import { toncenterRpc } from './dialect/toncenter.ts'
import { parseJson } from './json.ts'
import { createLibraryRun } from './libraryRun.ts'
import { headOf, type ParsedCall, parseCall, type RpcDoor } from './parsedCall.ts'
import { Recent } from './recent.ts'
import { type BatchLimits, joinReplies, type PendingReply, RpcBatch } from './rpcBatch.ts'

export interface RpcLimits extends BatchLimits {
  readonly jsonDepth: number
  readonly batchItems: number
  readonly batchItemsWithKey: number
  readonly exhaustedBytes: number
}

export interface RpcParts {
  readonly registry: Registry
  readonly plans: Plans
  readonly dispatch: Dispatch
  /** Where long batches wait between their slices. */
  readonly turns: Turns
  readonly limits: RpcLimits
}

/** The reply to one text; null when there is nothing to say. */
export type Rpc = (text: string, door: RpcDoor, call: ChargedCall) => PendingReply

/** Refused before anything was run: a peer that goes on sending such is not worth listening to. */
const UNHEARD = new Set<ErrorKind>(['parse', 'invalidRequest', 'rateLimited', 'batchTooLarge'])

export function createRpc(parts: RpcParts): Rpc {
  const { registry, dispatch, turns, limits } = parts
  const run = createLibraryRun(registry, dispatch)

  function answer(parsed: ParsedCall, dialect: Dialect, call: ChargedCall): PendingReply {
    const { id, silent, method } = parsed
    const demanding =
      parsed.question === null || parsed.minSeqno === null ? null : new DemandingCall(call, parsed.minSeqno)
    const started = performance.now()
    const envelope = (): ReplyEnvelope => {
      const plain = { ms: performance.now() - started, verb: 'POST', id } as const
      if (demanding === null) return plain
      call.budget = demanding.budget
      return { ...plain, indexSeqno: demanding.seqnos.index }
    }
    const succeed = (result: Answer): WrittenReply | null =>
      silent ? null : { status: 200, text: dialect.success(result, envelope()) }
    const fail = (error: unknown): WrittenReply | null =>
      silent ? null : refusal(asApiError(error, call), dialect, envelope())
    if (parsed.question === null) return after(dispatch.refuse(method, asApiError(parsed.thrown, call), call), fail)
    try {
      const result = run(parsed.method, parsed.question, demanding ?? call)
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
  ): Promise<WrittenReply | null> {
    const most = call.caller.keyId === null ? limits.batchItems : limits.batchItemsWithKey
    const whole = async (error: ApiError) =>
      refusal(await dispatch.refuse(null, error, call), dialect, { ms: 0, verb: 'POST', id: null })
    if (items.length === 0) return await whole(new ApiError('invalidRequest'))
    if (items.length > most) {
      return await whole(new ApiError('batchTooLarge', `Batch too large: ${most} calls at most`, { limit: most }))
    }
    const running = new RpcBatch(items, call, {
      limits,
      turns,
      run: (item, ownCall) => answer(parseCall(item, door, parts), dialect, ownCall),
      skip: (item, error) => unreached(item, door, dialect, error),
    })
    return joinReplies(await running.replies())
  }

  const refusal = (error: ApiError, dialect: Dialect, envelope: ReplyEnvelope): WrittenReply => {
    const said = dialect.failure(error, envelope)
    return UNHEARD.has(error.kind) ? { ...said, refused: true } : said
  }

  /** The reply of a call that is not run because the batch has come to one of its bounds. */
  function unreached(item: unknown, door: RpcDoor, dialect: Dialect, error: ApiError): WrittenReply | null {
    const { id, silent } = headOf(item, door)
    return silent ? null : dialect.failure(error, { ms: 0, verb: 'POST', id })
  }

  const recent = { strict: new Recent<ParsedCall>(), toncenter: new Recent<ParsedCall>() }

  return (text, door, call) => {
    const dialect = door === 'strict' ? strict : toncenterRpc
    const known = recent[door].get(text)
    if (known) return answer(known, dialect, call)
    const exhausted = text.length > limits.exhaustedBytes ? dispatch.exhausted(call) : null
    if (exhausted) return refusal(exhausted, dialect, { ms: 0, verb: 'POST', id: null })
    let parsed: unknown
    try {
      parsed = parseJson(text, limits.jsonDepth)
    } catch (error) {
      const sent = dispatch.refuse(null, asApiError(error, call), call)
      return after(sent, (known) => refusal(known, dialect, { ms: 0, verb: 'POST', id: null }))
    }
    if (Array.isArray(parsed)) return batch(parsed, door, dialect, call)
    const parsedCall = parseCall(parsed, door, parts)
    if (parsedCall.question !== null && parsedCall.question.key !== '') recent[door].set(text, parsedCall)
    return answer(parsedCall, dialect, call)
  }
}

export const asApiError = (error: unknown, { requestId }: { readonly requestId: string }): ApiError =>
  error instanceof ApiError ? error : new ApiError('internal', undefined, { requestId }, { cause: error })
