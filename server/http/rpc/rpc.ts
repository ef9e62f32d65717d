// Both JSON-RPC dialects, over HTTP and WebSocket alike. The json-rpc-2.0 library runs each call; this guard stands in
// front of it because alone it answers a batch of one bare, chokes on null, has no bound on a batch and sends private
// error texts out.

import { ApiError, type ErrorKind } from '../../../shared/errors.ts'
import type { Registry } from '../../../shared/registry.ts'
import type { Turns } from '../../fairness/index.ts'
import { after, type ChargedCall, type Dispatch, type RunAnswer } from '../../methods/index.ts'
import type { Dialect, ReplyEnvelope, WrittenReply } from '../dialect/dialect.ts'
import { strict } from '../dialect/strict.ts'
import { successReply } from '../dialect/success.ts'
import { toncenterRpc } from '../dialect/toncenter.ts'
import { asApiError } from '../exchange/asApiError.ts'
import type { Plans } from '../requests/callParams.ts'
import { parseJson } from '../requests/json.ts'
import { namingMisspelt } from '../requests/misspelt.ts'
import { headOf, type ParsedCall, parseCall, type RpcDoor } from '../requests/parsedCall.ts'
import { Recent } from '../requests/recent.ts'
import { DemandingCall } from './batchCall.ts'
import { createLibraryRun } from './libraryRun.ts'
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

const dialectOfDoor = (door: RpcDoor): Dialect => (door === 'strict' ? strict : toncenterRpc)

function refusal(error: ApiError, dialect: Dialect, envelope: ReplyEnvelope): WrittenReply {
  const said = dialect.failure(error, envelope)
  return UNHEARD.has(error.kind) ? { ...said, refused: true } : said
}

/** The envelope of a reply to a whole text. */
const WHOLE = { ms: 0, verb: 'POST', id: null } as const

/** The reply of a call that is not run because the batch has come to one of its bounds. */
function unreached(item: unknown, door: RpcDoor, error: ApiError): WrittenReply | null {
  const { id, silent } = headOf(item, door)
  return silent ? null : dialectOfDoor(door).failure(error, { ms: 0, verb: 'POST', id })
}

class RpcCalls {
  readonly #parts: RpcParts
  readonly #run: ReturnType<typeof createLibraryRun>
  readonly #recent = { strict: new Recent<ParsedCall>(), toncenter: new Recent<ParsedCall>() }

  constructor(parts: RpcParts) {
    this.#parts = parts
    this.#run = createLibraryRun(parts.registry, parts.dispatch)
  }

  reply(text: string, door: RpcDoor, call: ChargedCall): PendingReply {
    const { dispatch, limits } = this.#parts
    const dialect = dialectOfDoor(door)
    const known = this.#recent[door].get(text)
    if (known) return this.#answer(known, dialect, call)
    const exhausted = text.length > limits.exhaustedBytes ? dispatch.exhausted(call) : null
    if (exhausted) return refusal(exhausted, dialect, WHOLE)
    let parsed: unknown
    try {
      parsed = parseJson(text, limits.jsonDepth)
    } catch (error) {
      const sent = dispatch.refuse(null, asApiError(error, call), call)
      return after(sent, (refused) => refusal(refused, dialect, WHOLE))
    }
    if (Array.isArray(parsed)) return this.#batch(parsed, door, call)
    const parsedCall = parseCall(parsed, door, this.#parts)
    if (parsedCall.question !== null && parsedCall.question.key !== '') this.#recent[door].set(text, parsedCall)
    return this.#answer(parsedCall, dialect, call)
  }

  #answer(parsed: ParsedCall, dialect: Dialect, call: ChargedCall): PendingReply {
    const { dispatch } = this.#parts
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
    const succeed = (result: RunAnswer): WrittenReply | null =>
      silent ? null : successReply(dialect, result, envelope())
    const fail = (error: unknown): WrittenReply | null =>
      silent ? null : refusal(asApiError(error, call), dialect, envelope())
    if (parsed.question === null) return after(dispatch.refuse(method, asApiError(parsed.thrown, call), call), fail)
    const failNamed = (error: unknown) => {
      const plan = this.#parts.plans.get(parsed.method)
      const known = asApiError(error, call)
      return fail(plan ? namingMisspelt(known, plan, () => parsed.names) : known)
    }
    try {
      const result = this.#run(parsed.method, parsed.question, demanding ?? call)
      return result instanceof Promise ? result.then(succeed, failNamed) : succeed(result)
    } catch (error) {
      return failNamed(error)
    }
  }

  async #batch(items: readonly unknown[], door: RpcDoor, call: ChargedCall): Promise<WrittenReply | null> {
    const { dispatch, limits, turns } = this.#parts
    const dialect = dialectOfDoor(door)
    const most = call.caller.keyId === null ? limits.batchItems : limits.batchItemsWithKey
    const whole = async (error: ApiError) => refusal(await dispatch.refuse(null, error, call), dialect, WHOLE)
    if (items.length === 0) return await whole(new ApiError('invalidRequest'))
    if (items.length > most) {
      return await whole(new ApiError('batchTooLarge', `Batch too large: ${most} calls at most`, { limit: most }))
    }
    const running = new RpcBatch(items, call, {
      limits,
      turns,
      parse: (item) => {
        const parsed = parseCall(item, door, this.#parts)
        return {
          stretch: parsed.question?.entry?.lanes?.stretch ?? 1,
          run: (ownCall) => this.#answer(parsed, dialect, ownCall),
        }
      },
      skip: (item, error) => unreached(item, door, error),
    })
    return await joinReplies(await running.replies(), { subject: call.caller.subject })
  }
}

export function createRpc(parts: RpcParts): Rpc {
  const calls = new RpcCalls(parts)
  return (text, door, call) => calls.reply(text, door, call)
}
