// Several services as one transport: the first that answers. One that failed, or says nothing, is tried last for a while.
//
//   createClient({ transport: fallback([postTransport({ url: own }), postTransport({ url: hosted })]) })

import { errorTable } from '../shared/errors.ts'
import { isControl, isSlow } from './methodKinds.ts'
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
  /** Milliseconds. Default `Date.now`. */
  readonly now?: (() => number) | undefined
}

const REST_MS = 30_000
const TRY_MS = 10_000
/** A caller that gives up after so long has met a service that lags. */
const LAG_MS = 2_000

/** Statuses of a service that is down or over its limits; any other answer is the answer. */
const isElsewhereBetter = (status: number | undefined): boolean =>
  status === undefined || status === 404 || status === 408 || status === 429 || status >= 500

/** Whether the service that failed may have run what it was sent. */
const isUnknown = ({ reason, status = 500 }: TransportError): boolean => reason !== 'closed' && status >= 500

const codeOf = ({ error }: RpcReply): unknown => (isObject(error) ? error.code : undefined)
const isRefusedMessage = (reply: RpcReply): boolean => codeOf(reply) === errorTable.messageRefused.rpc

const TURNED_AWAY: ReadonlySet<unknown> = new Set([errorTable.rateLimited.rpc, errorTable.busy.rpc])
/** Over its limits, or too busy: the call was not begun, and another service may have room. */
const isTurnedAway = (reply: RpcReply): boolean => reply.status === 429 || TURNED_AWAY.has(codeOf(reply))

/** The answer of one transport; throws TransportError when it takes longer, unless that is 0. */
async function within(
  ms: number,
  transport: Transport,
  requests: readonly RpcRequest[],
  signal: AbortSignal,
): Promise<readonly RpcReply[]> {
  const attempt = new AbortController()
  const end = () => attempt.abort(signal.reason)
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  const done = limit(ms, () => attempt.abort())
  try {
    return await transport(requests, attempt.signal)
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
  const { restMs = REST_MS, tryMs = TRY_MS, once = isControl, now = Date.now } = options
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
    let refusal: readonly RpcReply[] | null = null
    /** After which a refusal of a message does not say that it was not taken. */
    let unknown: TransportError | null = null
    const takesItsTime = requests.some(({ method }) => isSlow(method) || once(method))
    const order = inOrder()
    for (const transport of order) {
      const began = now()
      try {
        const isLast = transport === order.at(-1)
        const replies = await within(takesItsTime || isLast ? 0 : tryMs, transport, requests, signal)
        if (replies.length > 0 && replies.every(isTurnedAway)) {
          restsUntil.set(transport, now() + restMs)
          refusal = replies
          continue
        }
        restsUntil.delete(transport)
        if (unknown === null || !replies.some(isRefusedMessage)) return replies
      } catch (error) {
        if (signal.aborted) {
          if (!takesItsTime && now() - began >= LAG_MS) restsUntil.set(transport, now() + restMs)
          throw error
        }
        failure = error
        if (!isTransportError(error)) throw error
        restsUntil.set(transport, now() + restMs)
        if (!isElsewhereBetter(error.status) || mayHaveRun(requests, error)) throw error
        if (isUnknown(error)) unknown = error
        continue
      }
      throw unknown
    }
    if (unknown !== null) throw unknown
    if (refusal !== null) return refusal
    throw failure
  }
}
