// Sends a group of calls and settles each. Calls with a transient failure are sent again, those with the same wait together; calls
// refused for the size of the group in smaller groups.

import { type CallResult, type Failure, isTooLarge, mayHaveRun, namedLimit, readAnswers } from './answers.ts'
import { split } from './batch.ts'
import type { Complete, RpcRequest, Transport } from './protocol.ts'
import { nextWait, type RetryOptions, shouldRetry } from './retry.ts'
import { isRpcError, isTransportError, TransportError } from './rpcErrors.ts'
import { sleep } from './sleep.ts'

export interface Item {
  readonly request: RpcRequest
  readonly bytes: number
  /** True for a call that changes something each time it runs. */
  readonly once: boolean
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  /** Called for every failure that is retried. */
  readonly onSetback: (error: unknown) => void
  /** A failure after which the service may have run the call all the same. */
  unknown: Error | null
  /** Milliseconds after which the last of its callers leaves. */
  readonly longestMs: () => number
  /** The caller has left; set by `abandon`. */
  gone: boolean
  /** Called when that happens; set by the exchange the item is in. */
  onGone: () => void
}

export type NewDelivery = Omit<Item, 'gone' | 'onGone' | 'unknown'>

export const createItem = (item: NewDelivery): Item => ({ ...item, unknown: null, gone: false, onGone: () => {} })

/** Takes the call out of its exchange. */
export function abandon(item: Item): void {
  if (item.gone) return
  item.gone = true
  item.onGone()
}

export interface DeliveryOptions {
  readonly transport: Transport
  readonly retry: Complete<RetryOptions>
  /** Called with the maximum calls of one message when the service has named it. */
  readonly onLimit: (limit: number) => void
}

interface Past {
  readonly tried: number
  readonly waited: number
}

/** Aborts when all of the items are gone: a message is needed as long as one of its calls is. */
function whileAnyWaits(items: readonly Item[]): AbortSignal {
  const none = new AbortController()
  let left = 0
  const onGone = () => {
    left--
    if (left === 0) none.abort()
  }
  for (const item of items) {
    if (item.gone) continue
    left++
    item.onGone = onGone
  }
  if (left === 0) none.abort()
  return none.signal
}

function asTransportError(error: unknown): TransportError {
  if (isTransportError(error)) return error
  return new TransportError({ reason: 'network', text: `the transport failed: ${String(error)}`, cause: error })
}

/** A message that was taken the first time is refused when it is sent again. */
function lastWord({ request, unknown }: Item, failure: Failure): Failure {
  if (unknown === null || !isRpcError(failure) || failure.kind !== 'messageRefused') return failure
  const text = `an earlier try may have been taken (${unknown.message}); the next was refused: ${failure.message}`
  return new TransportError({ reason: 'unknown', text, method: request.method, cause: failure })
}

async function exchange(items: readonly Item[], transport: Transport): Promise<(item: Item) => CallResult> {
  const requests = items.map(({ request }) => request)
  try {
    const outcomeOf = readAnswers(await transport(requests, whileAnyWaits(items)))
    return ({ request }) => outcomeOf(request)
  } catch (error) {
    const failure = asTransportError(error)
    return ({ request }) => ({ failure: failure.of(request.method) })
  }
}

interface NextTry {
  /** Refused because they came together. */
  readonly tooMany: Item[]
  size: number
  /** By the milliseconds they wait. */
  readonly again: Map<number, Item[]>
}

/** Resolves or rejects every item that is not abandoned. */
export function createDelivery({ transport, retry, onLimit }: DeliveryOptions): (items: readonly Item[]) => void {
  const settle = (items: readonly Item[], outcomeOf: (item: Item) => CallResult, { tried, waited }: Past) => {
    const past = { tried: tried + 1, waited, random: Math.random() }
    const next: NextTry = { tooMany: [], size: items.length, again: new Map() }
    for (const item of items) {
      const outcome = outcomeOf(item)
      if ('result' in outcome) {
        item.resolve(outcome.result)
        continue
      }
      const { failure } = outcome
      const wait = shouldRetry(failure, item.once) ? nextWait(failure, past, retry, item.longestMs()) : null
      if (isTooLarge(failure) && items.length > 1 && !(item.once && mayHaveRun(failure))) {
        next.tooMany.push(item)
        const limit = namedLimit(failure)
        if (limit !== undefined) onLimit(limit)
        // What the service named, else half.
        const most = limit !== undefined && limit < items.length ? limit : Math.ceil(items.length / 2)
        next.size = Math.min(next.size, most)
      } else if (wait !== null) {
        const others = next.again.get(wait)
        if (others === undefined) next.again.set(wait, [item])
        else others.push(item)
        if (!shouldRetry(failure, true)) item.unknown = failure
        item.onSetback(failure)
      } else item.reject(lastWord(item, failure))
    }
    return next
  }

  const deliver = async (items: readonly Item[], past: Past): Promise<void> => {
    const live = items.filter(({ gone }) => !gone)
    if (live.length === 0) return
    const { tooMany, size, again } = settle(live, await exchange(live, transport), past)
    const groups = split(tooMany, size).map((group) => deliver(group, past))
    const later = [...again].map(([wait, group]) => deliverLater(group, wait, past))
    await Promise.all([...groups, ...later])
  }

  const deliverLater = async (items: readonly Item[], wait: number, { tried, waited }: Past): Promise<void> => {
    await sleep(wait, whileAnyWaits(items))
    return deliver(items, { tried: tried + 1, waited: waited + wait })
  }

  return (items) => {
    deliver(items, { tried: 0, waited: 0 }).catch((error: unknown) => {
      for (const item of items) item.reject(error)
    })
  }
}
