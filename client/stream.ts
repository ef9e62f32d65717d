// What happens, as it happens: the notifications of a subscription, one after the other. Reconnects with growing pauses when the
// connection breaks, and resumes behind the last finalized notification: of those none is missed and none comes twice.

import { endpoint, shown } from './endpoint.ts'
import { TransportError } from './rpcErrors.ts'
import { sleep } from './sleep.ts'

export interface StreamOptions {
  /** The service's base or its full `/jsonRPC` address. */
  readonly url: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly fetch?: typeof fetch | undefined
  /** `transactions`, `actions`, `trace`, `account_state_change`, `jettons_change`, `blocks`. */
  readonly types: readonly string[]
  readonly addresses?: readonly string[]
  readonly trace_external_hash_norms?: readonly string[]
  readonly min_finality?: 'pending' | 'confirmed' | 'finalized'
  readonly action_types?: readonly string[]
  readonly supported_action_types?: readonly string[]
  readonly include_address_book?: boolean
  readonly include_metadata?: boolean
  /** Cursor of a notification: everything after it comes first. */
  readonly after?: string
  /** Ends the iteration. */
  readonly signal?: AbortSignal
}

export interface StreamNotification {
  readonly type: string
  readonly finality?: 'pending' | 'confirmed' | 'finalized'
  /** Of a finalized one, for `after`. */
  readonly cursor?: string
  readonly [field: string]: unknown
}

const LONGEST_PAUSE_MS = 8_000
const FIRST_PAUSE_MS = 250
/** Also those that say that the subscription is wrong, or its cursor too old: another try has the same answer. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 429

/** Frames as they come. */
async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const frames = rest.split('\n\n')
      rest = frames.pop() ?? ''
      yield* frames
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** Throws TransportError for a subscription that is refused, or a cursor that is not known any more. */
export async function* stream({
  url,
  apiKey,
  headers: given,
  fetch: own,
  after,
  signal,
  ...wish
}: StreamOptions): AsyncGenerator<StreamNotification, void, undefined> {
  const target = endpoint(url)
  target.pathname = target.pathname.replace(/\/jsonRPC$/, '/api/streaming/v2/sse')
  const until = signal ?? new AbortController().signal
  let cursor = after
  for (let failures = 0; !until.aborted; failures++) {
    if (failures > 0) await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * Math.random(), until)
    try {
      const headers = new Headers(given)
      headers.set('content-type', 'application/json')
      if (apiKey !== undefined) headers.set('x-api-key', apiKey)
      const body = JSON.stringify(cursor === undefined ? wish : { ...wish, after: cursor })
      const send = own ?? fetch
      const reply = await send(target, { method: 'POST', headers, body, signal: until })
      if (isFinal(reply.status))
        throw new TransportError({
          reason: 'status',
          text: `${shown(target)}: ${await reply.text()}`,
          status: reply.status,
        })
      if (!reply.ok || reply.body === null) continue
      for await (const frame of framesOf(reply.body)) {
        const data = /^event: event\ndata: (.*)$/m.exec(frame)?.[1]
        if (data === undefined) continue
        const notification: StreamNotification = JSON.parse(data)
        failures = 0
        yield notification
        cursor = notification.cursor ?? cursor
      }
    } catch (error) {
      if (error instanceof TransportError) throw error
    }
  }
}
