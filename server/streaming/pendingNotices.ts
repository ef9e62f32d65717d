// How many messages wait for a block, for subscribers that want to know: where blocks are made by hand, nothing else says it.

import type { Subscriber } from './subscriber.ts'

export interface PendingCount {
  readonly pending: number
  /** Calls back after each change until the returned function is called. */
  onChange(listener: () => void): () => void
}

/** Of several changes, the first is not reported sooner, and the others not more often. */
const NOTICE_MS = 100

/** Sends a notice after changes until the returned function is called. */
export function noticePending(messages: PendingCount, subscribers: ReadonlySet<Subscriber>): () => void {
  let timer: NodeJS.Timeout | null = null
  const send = (): void => {
    timer = null
    const text = JSON.stringify({ type: 'pending_messages', count: messages.pending })
    for (const { subscription, sink } of [...subscribers])
      if (subscription.pendingMessages && !sink.isClosed) sink.send(text, null)
  }
  const forget = messages.onChange(() => {
    if (subscribers.size > 0) timer ??= setTimeout(send, NOTICE_MS).unref()
  })
  return () => {
    forget()
    if (timer !== null) clearTimeout(timer)
  }
}
