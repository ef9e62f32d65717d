// Several services as one transport: the first that answers. One that failed is tried last for a while.
//
//   createClient({ transport: fallback([postTransport({ url: own }), postTransport({ url: hosted })]) })

import { errorTable } from '../shared/errors.ts'
import { isControl } from './methodKinds.ts'
import { isObject, type RpcReply, type RpcRequest, type Transport } from './protocol.ts'
import { isTransportError, TransportError } from './rpcErrors.ts'

export interface FallbackOptions {
  /** How long a transport that failed is tried after the others. Default 30 s. */
  readonly restMs?: number
  /**
   * Names methods that change something each time they run. A message with one of them is not sent to a second
   * service when it is unknown whether the first has run it. When left out, the `dev.` and `acton_` methods.
   */
  readonly once?: (method: string) => boolean
  /** Milliseconds. Default `Date.now`. */
  readonly now?: () => number
}

const REST_MS = 30_000

/** Statuses of a service that is down or over its limits; any other answer is the answer. */
const isElsewhereBetter = (status: number | undefined): boolean =>
  status === undefined || status === 404 || status === 408 || status === 429 || status >= 500

/** Whether the service that failed may have run what it was sent. */
const isUnknown = ({ reason, status = 500 }: TransportError): boolean => reason !== 'closed' && status >= 500

const isRefusedMessage = ({ error }: RpcReply): boolean =>
  isObject(error) && error.code === errorTable.messageRefused.rpc

/** Throws TypeError for an empty list. */
export function fallback(transports: readonly Transport[], options: FallbackOptions = {}): Transport {
  if (transports.length === 0) throw new TypeError('fallback needs at least one transport')
  const { restMs = REST_MS, once = isControl, now = Date.now } = options
  const restsUntil = new Map<Transport, number>()

  const inOrder = (): readonly Transport[] => {
    const time = now()
    const rests = (transport: Transport): boolean => (restsUntil.get(transport) ?? 0) > time
    return [...transports.filter((one) => !rests(one)), ...transports.filter(rests)]
  }

  const mayHaveRun = (requests: readonly RpcRequest[], error: TransportError): boolean =>
    error.reason !== 'closed' && requests.some(({ method }) => once(method))

  return async (requests, signal) => {
    let failure: unknown
    /** After which a refusal of a message does not say that it was not taken. */
    let unknown: TransportError | null = null
    for (const transport of inOrder()) {
      try {
        const replies = await transport(requests, signal)
        restsUntil.delete(transport)
        if (unknown === null || !replies.some(isRefusedMessage)) return replies
      } catch (error) {
        if (signal.aborted) throw error
        failure = error
        if (!isTransportError(error)) throw error
        restsUntil.set(transport, now() + restMs)
        if (!isElsewhereBetter(error.status) || mayHaveRun(requests, error)) throw error
        if (isUnknown(error)) unknown = error
        continue
      }
      throw unknown
    }
    throw failure instanceof Error ? failure : new TransportError({ reason: 'network', text: 'no service answered' })
  }
}
