// Both JSON-RPC dialects, over HTTP and WebSocket alike. The json-rpc-2.0 library runs each call; this guard stands in
// front of it because alone it answers a batch of one bare, chokes on null, has no bound on a batch and sends private
// error texts out.

import { type JSONRPCResponse, JSONRPCServer } from 'json-rpc-2.0'
import { ApiError, type ErrorKind, errorTable } from '../../shared/errors.ts'
import type { Registry } from '../../shared/registry.ts'
import type { Turns } from '../fairness/index.ts'
import { type Answer, after, type ChargedCall, type Dispatch, type Question } from '../methods/index.ts'
import { BatchCall, DemandingCall } from './batchCall.ts'
import type { Plans } from './callParams.ts'
import type { Dialect, ReplyEnvelope, WrittenReply } from './dialect/dialect.ts'
import { strict } from './dialect/strict.ts'
import { toncenterRpc } from './dialect/toncenter.ts'
import { parseJson } from './json.ts'
import { headOf, type ParsedCall, parseCall, type RpcDoor } from './parsedCall.ts'
import { Recent } from './recent.ts'

export interface RpcLimits {
  readonly jsonDepth: number
  readonly batchItems: number
  readonly batchItemsWithKey: number
  readonly batchLanes: number
  readonly batchMs: number
  readonly exhaustedBytes: number
  readonly replyBytes: number
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

type PendingReply = WrittenReply | null | Promise<WrittenReply | null>

/** Calls of a batch between two looks at the clock. */
const LOOK_EVERY = 16
/** Milliseconds of a batch in one turn of the event loop. */
const SLICE_MS = 4
/** By so much may the timer that ended a call for the batch's deadline come before that deadline. */
const EARLY_MS = 1

/** Joined only where it cannot be sent in parts. */
class WrittenBatch implements WrittenReply {
  readonly status = 200
  readonly texts: readonly string[]

  constructor(texts: readonly string[]) {
    this.texts = texts
  }

  get text(): string {
    return this.texts.join('')
  }
}

/** Refused before anything was run: a peer that goes on sending such is not worth listening to. */
const UNHEARD = new Set<ErrorKind>(['parse', 'invalidRequest', 'rateLimited', 'batchTooLarge'])

export function createRpc(parts: RpcParts): Rpc {
  const { registry, dispatch, turns, limits } = parts
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

  /** Through the library, unless the answer is known, or the method is not: then there is nothing to run. */
  function run(method: string, question: Question, call: ChargedCall): Answer | Promise<Answer> {
    if (question.entry === null) return dispatch.ask(question, call)
    const recalled = dispatch.recall(question, call)
    if (recalled) return recalled
    const request = { jsonrpc: '2.0', id: 0, method, params: question.params } as const
    return Promise.resolve(server.receive(request, call)).then((response) => outcome(response, call))
  }

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
    const replies: (WrittenReply | null)[] = new Array(items.length).fill(null)
    // Checked only after the first yield: a quick batch does not pay for a signal.
    let signal: AbortSignal | null = null
    const began = performance.now()
    const ownCall = new BatchCall(call, began + limits.batchMs)
    let next = 0
    let size = 0
    let now = began
    let sliceEnd = began + SLICE_MS
    const lane = async () => {
      while (next < items.length && !signal?.aborted) {
        const i = next++
        if (i % LOOK_EVERY === LOOK_EVERY - 1) now = performance.now()
        if (now >= sliceEnd) {
          signal = call.signal
          await turns.next(call.caller.subject)
          now = performance.now()
          sliceEnd = now + SLICE_MS
        }
        const stop = size > limits.replyBytes ? tooLong() : now > ownCall.deadline - EARLY_MS ? tooLate() : null
        const saying = stop
          ? unreached(items[i], door, dialect, stop)
          : answer(parseCall(items[i], door, parts), dialect, ownCall)
        if (!(saying instanceof Promise)) replies[i] = saying
        else {
          signal = call.signal
          replies[i] = await saying
          now = performance.now()
        }
        size += replies[i]?.text.length ?? 0
      }
    }
    await Promise.all(Array.from({ length: Math.min(limits.batchLanes, items.length) }, lane))
    call.budget = ownCall.budget
    const said = replies.filter((reply) => reply !== null)
    if (said.length === 0) return null
    const limited = said.every((reply) => reply.status === errorTable.rateLimited.http)
    const texts = [...said.map((reply, i) => `${i === 0 ? '[' : ','}${reply.text}`), ']']
    if (!limited) return new WrittenBatch(texts)
    const retryAfter = Math.min(...said.map((reply) => reply.retryAfter ?? 1))
    return { status: errorTable.rateLimited.http, text: texts.join(''), retryAfter, refused: true }
  }

  const tooLate = (): ApiError =>
    new ApiError('timeout', `Timeout: the whole batch took longer than ${limits.batchMs} ms`, { limit: limits.batchMs })

  const tooLong = (): ApiError =>
    new ApiError('replyTooLarge', `Reply too large: ${limits.replyBytes} bytes at most for one batch`, {
      limit: limits.replyBytes,
    })

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
