// Several services as one transport: the first that answers. One that failed, says nothing, or whose index is behind is tried last
// for a while; of a batch the next service is sent only what the first has not answered.
//
//   createClient({ transport: fallback([postTransport({ url: own }), postTransport({ url: hosted })]) })

import { type ErrorKind, errorTable } from '../shared/errors.ts'
import { abortReason } from './abortReason.ts'
import { refusalIn } from './answers.ts'
import { isChange, isControl, isSlow } from './methodKinds.ts'
import { isObject, type RpcReply, type RpcRequest, type Transport } from './protocol.ts'
import { isTransportError, TransportError } from './rpcErrors.ts'
import { limit } from './sleep.ts'

export interface FallbackOptions {
  /** How long a transport that failed is tried after the others. Default 30 s. */
  readonly restMs?: number | undefined
  /** Before the next transport is tried. Default 10 s; 0 is no limit. Not for `once`, nor for calls that wait for blocks. */
  readonly tryMs?: number | undefined
  /**
   * Names methods that change something each time they run. A message with one of them is not sent to a second
   * service when it is unknown whether the first has run it. When left out, the `dev.` and `acton_` methods.
   */
  readonly once?: ((method: string) => boolean) | undefined
  /** Milliseconds. Default `performance.now`: a clock that is set does not move it. */
  readonly now?: (() => number) | undefined
}

const REST_MS = 30_000
const TRY_MS = 10_000
/** A caller that gives up after so long has met a service that lags. */
const LAG_MS = 2_000

/** Of a service that is down, over its limits or cannot be read; any other status is the answer. */
const isElsewhereBetter = ({ reason, status = 500 }: TransportError): boolean =>
  reason === 'reply' || status === 404 || status === 408 || status === 429 || status >= 500

/** Whether the service that failed may have run what it was sent. */
const isUnknown = ({ reason, status = 500 }: TransportError, sent: readonly RpcRequest[]): boolean =>
  reason === 'reply' ? sent.some(({ method }) => isChange(method)) : reason !== 'closed' && status >= 500

const codeOf = ({ error }: RpcReply): unknown => (isObject(error) ? error.code : undefined)
const codesOf = (...kinds: readonly ErrorKind[]): ReadonlySet<unknown> =>
  new Set(kinds.map((kind) => errorTable[kind].rpc))
const isRefusedMessage = (reply: RpcReply): boolean => codeOf(reply) === errorTable.messageRefused.rpc

/** A service without the method is an older one, or serves less; for other calls it is as good as before. */
const isMissing = (reply: RpcReply): boolean => codeOf(reply) === errorTable.methodNotFound.rpc

const TURNED_AWAY = codesOf('rateLimited', 'busy', 'notIndexed', 'indexBehind')
/** Over its limits, too busy, or its index is behind: the call was not begun, and another service may do it. */
const isTurnedAway = (reply: RpcReply): boolean => reply.status === 429 || TURNED_AWAY.has(codeOf(reply))

const UNFINISHED = codesOf('timeout', 'unavailable')
/** What the service itself waits for did not answer: another may do better, but this one may have begun the call. */
const isUnfinished = (reply: RpcReply): boolean => UNFINISHED.has(codeOf(reply))

const ABSENT = codesOf('notFound', 'upstream')
/** A service that keeps less history has not what another may have. It is as good as before for other calls. */
const isAbsent = (reply: RpcReply): boolean => ABSENT.has(codeOf(reply))

/** The reply to a call that says more, of an earlier service and a later one. */
function lastWord(earlier: RpcReply | undefined, reply: RpcReply): RpcReply {
  if (earlier === undefined) return reply
  if (isAbsent(earlier)) return isObject(reply.error) ? earlier : reply
  // The later reply says less: its service lacks the method, or cannot know whether the earlier one has begun the call.
  const isLess = isMissing(reply) || (isUnfinished(earlier) && (isTurnedAway(reply) || isRefusedMessage(reply)))
  return isLess ? earlier : reply
}

type Once = (method: string) => boolean

function isForNext(once: Once, { method }: RpcRequest, reply: RpcReply | undefined): boolean {
  if (reply === undefined || isAbsent(reply)) return !once(method) && !isChange(method)
  return isTurnedAway(reply) || isMissing(reply) || (isUnfinished(reply) && !once(method))
}

/** Whether a later service that fails may have done it, or would have said more than the reply so far. */
const isOpenStill = ({ method }: RpcRequest, reply: RpcReply | undefined): boolean =>
  reply === undefined || isMissing(reply) || isChange(method)

/** The reply to each request; a refusal without id is one of the whole message. */
function byRequest(requests: readonly RpcRequest[], replies: readonly RpcReply[]): Map<RpcRequest, RpcReply> {
  const refusal = refusalIn(replies)
  // Of several replies to one id the first counts.
  const byId = new Map([...replies].reverse().map((reply) => [reply.id, reply]))
  return new Map(
    requests.flatMap((request) => {
      const reply = byId.get(request.id) ?? (refusal && { ...refusal, id: request.id })
      return reply ? [[request, reply] as const] : []
    }),
  )
}

/** The replies of one transport; throws TransportError when there is none, or it takes longer, unless that is 0. */
async function repliesWithin(
  ms: number,
  transport: Transport,
  requests: readonly RpcRequest[],
  signal: AbortSignal,
): Promise<ReadonlyMap<RpcRequest, RpcReply>> {
  const attempt = new AbortController()
  const end = () => attempt.abort(abortReason(signal))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  const done = limit(ms, () => attempt.abort())
  try {
    const replies = byRequest(requests, await transport(requests, attempt.signal))
    if (replies.size === 0) throw new TransportError({ reason: 'reply', text: 'no answer to this call' })
    return replies
  } catch (cause) {
    if (signal.aborted || !attempt.signal.aborted) throw cause
    throw new TransportError({ reason: 'network', text: `no answer within ${ms} ms`, cause })
  } finally {
    done()
    signal.removeEventListener('abort', end)
  }
}

/** Throws TypeError for an empty list. */
export function fallback(transports: readonly Transport[], options: FallbackOptions = {}): Transport {
  if (transports.length === 0) throw new TypeError('fallback needs at least one transport')
  const { restMs = REST_MS, tryMs = TRY_MS, once = isControl, now = () => performance.now() } = options
  const restsUntil = new Map<Transport, number>()

  const inOrder = (): readonly Transport[] => {
    const time = now()
    const rests = (transport: Transport): boolean => (restsUntil.get(transport) ?? 0) > time
    return [...transports.filter((one) => !rests(one)), ...transports.filter(rests)]
  }

  const mayHaveRun = (requests: readonly RpcRequest[], { reason, status }: TransportError): boolean =>
    reason !== 'closed' && status !== 429 && requests.some(({ method }) => once(method))

  return async (requests, signal) => {
    let failure: unknown
    /** After which a refusal of a message does not say that it was not taken. */
    let unknown: TransportError | null = null
    /** Whether a service has replied to more than its limits since then. */
    let isAnswered = false
    /** Requests without an answer. */
    let left = requests
    const answers = new Map<RpcRequest, RpcReply>()
    const takesItsTime = requests.some(({ method }) => isSlow(method) || once(method))
    const order = inOrder()
    for (const transport of order) {
      const began = now()
      try {
        const isLast = transport === order.at(-1)
        const replies = await repliesWithin(takesItsTime || isLast ? 0 : tryMs, transport, left, signal)
        const all = [...replies.values()]
        if (all.length < left.length || all.some(isTurnedAway) || all.some(isUnfinished))
          restsUntil.set(transport, now() + restMs)
        else restsUntil.delete(transport)
        // An earlier service may have taken the message, which would be the reason of the refusal.
        if (unknown !== null && all.some(isRefusedMessage)) {
          isAnswered = false
          break
        }
        isAnswered ||= !all.every(isTurnedAway)
        for (const [request, reply] of replies) answers.set(request, lastWord(answers.get(request), reply))
        const next = left.filter((request) => isForNext(once, request, replies.get(request)))
        // A failure of the next service can reject the whole batch: a caller would not know which calls of a part have run.
        left = next.length === requests.length ? next : next.filter(({ method }) => !once(method))
        if (left.length === 0) return [...answers.values()]
      } catch (error) {
        if (signal.aborted) {
          if (!takesItsTime && now() - began >= LAG_MS) restsUntil.set(transport, now() + restMs)
          throw error
        }
        failure = error
        if (!isTransportError(error)) throw error
        restsUntil.set(transport, now() + restMs)
        const isOpen = left.some((request) => isOpenStill(request, answers.get(request)))
        if (mayHaveRun(left, error) || (!isElsewhereBetter(error) && isOpen)) throw error
        if (!isOpen || !isUnknown(error, left)) continue
        unknown = error
        isAnswered = false
      }
    }
    if (unknown !== null && !isAnswered) throw unknown
    if (answers.size > 0) return [...answers.values()]
    throw failure
  }
}
