// Matches replies with requests: by id, in any order. A call without a reply fails alone.

import type { ErrorData } from '../shared/errors.ts'
import { isObject, type RpcReply, type RpcRequest } from './protocol.ts'
import { RpcError, TransportError } from './rpcErrors.ts'

export type Failure = RpcError | TransportError
export type CallResult = { readonly result: unknown } | { readonly failure: Failure }

const toNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Types of the members of an error that the client uses; a service may send anything. */
const TYPES: Readonly<Record<string, string>> = {
  retryAfter: 'number',
  limit: 'number',
  requestId: 'string',
  nearest: 'string',
  advice: 'string',
  docs: 'string',
}

const readable = (data: object): ErrorData =>
  Object.fromEntries(
    Object.entries(data).filter(([name, value]) => !Object.hasOwn(TYPES, name) || typeof value === TYPES[name]),
  )

function toFailure(method: string, { error, status, retryAfter: header }: RpcReply): Failure {
  if (!isObject(error)) {
    const text = 'the answer has neither a result nor an error object: is url the /jsonRPC of this service?'
    return new TransportError({ reason: 'reply', text, method, status })
  }
  const { kind, ...given } = isObject(error.data) ? error.data : { kind: undefined }
  const said = readable(given)
  const retryAfter = said.retryAfter ?? header
  return new RpcError({
    method,
    code: toNumber(error.code) ?? 0,
    text: typeof error.message === 'string' ? error.message : 'refused without a text',
    kind: typeof kind === 'string' ? kind : undefined,
    status,
    data: retryAfter === undefined ? said : { ...said, retryAfter },
  })
}

/** The reply that refuses the whole message: the only one, and without an id. */
export function refusalIn(replies: readonly RpcReply[]): RpcReply | undefined {
  const [only] = replies
  return replies.length === 1 && only?.error && (only.id ?? null) === null ? only : undefined
}

/** The outcome of each request. Of several replies to one id the first counts; replies to unknown ids are dropped. */
export function readAnswers(replies: readonly RpcReply[]): (request: RpcRequest) => CallResult {
  const refusal = refusalIn(replies)
  const byId = new Map<unknown, RpcReply>()
  for (const reply of replies) if (!byId.has(reply.id)) byId.set(reply.id, reply)
  return ({ id, method }) => {
    const reply = byId.get(id) ?? refusal
    if (!reply) return { failure: new TransportError({ reason: 'reply', text: 'no answer to this call', method }) }
    return 'result' in reply && !reply.error ? { result: reply.result } : { failure: toFailure(method, reply) }
  }
}

const OF_MESSAGE: ReadonlySet<string> = new Set(['batchTooLarge', 'bodyTooLarge'])

/** Whether only its reply was left out of that to a batch: the call may have run. */
export const mayHaveRun = (failure: Failure): boolean => failure instanceof RpcError && failure.data.reason === 'batch'

/** Whether the message, or the reply to all of it, was too much, not the call. */
export const isTooLarge = (failure: Failure): boolean =>
  failure.status === 413 || mayHaveRun(failure) || (failure instanceof RpcError && OF_MESSAGE.has(failure.kind))

/** The maximum calls of one message, if the refusal names it. */
export function namedLimit(failure: Failure): number | undefined {
  const limit = failure instanceof RpcError && failure.kind === 'batchTooLarge' ? failure.data.limit : undefined
  return Number.isInteger(limit) && Number(limit) > 0 ? limit : undefined
}
