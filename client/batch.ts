// Calls made in one tick go out together, in as few messages as the limits allow.

export interface BatchOptions {
  /** Maximum calls of one message: the service accepts 100 without a key, 1000 with one. */
  readonly max?: number | undefined
  /** How long calls are collected; 0 is until the end of the tick. */
  readonly waitMs?: number | undefined
}

/** Below the service's 1 MiB for a body, with room for the envelope. */
const MAX_BYTES = 900_000

interface Sized {
  /** UTF-8 length on the wire. */
  readonly bytes: number
}

/** Fills one group after the other, in order. An item above the byte limit goes alone: that refusal is the service's. */
export function split<T extends Sized>(items: readonly T[], max: number, maxBytes = MAX_BYTES): T[][] {
  const groups: T[][] = []
  let group: T[] = []
  let bytes = 0
  for (const item of items) {
    if (group.length > 0 && (group.length >= max || bytes + item.bytes > maxBytes)) {
      groups.push(group)
      group = []
      bytes = 0
    }
    group.push(item)
    bytes += item.bytes
  }
  if (group.length > 0) groups.push(group)
  return groups
}

/**
 * Runs at the end of the tick, in browsers by a message channel: timers of a background page may be a minute late, which is after
 * the timeout of the call. Each call has a channel of its own, as an open channel keeps a process alive.
 */
function afterTick(run: () => void): void {
  const setImmediate: unknown = Reflect.get(globalThis, 'setImmediate')
  try {
    if (typeof setImmediate === 'function') return void setImmediate(run)
  } catch {
    // That of the edge runtime of Next.js only throws.
  }
  if (typeof MessageChannel === 'function') {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      run()
    }
    port2.postMessage(null)
  } else setTimeout(run, 0)
}

const isInBackground = (): boolean => typeof document === 'object' && document.visibilityState === 'hidden'

export interface Batcher<T> {
  add(item: T): void
  /** Sets the limit the service named for one message. */
  learn(limit: number): void
}

export function createBatcher<T extends Sized>(
  { max = 100, waitMs = 0 }: BatchOptions,
  send: (group: readonly T[]) => void,
): Batcher<T> {
  let limit = max
  let queue: T[] = []
  const flush = () => {
    const items = queue
    queue = []
    for (const group of split(items, limit)) send(group)
  }
  return {
    add(item) {
      queue.push(item)
      if (queue.length > 1) return
      if (waitMs > 0 && !isInBackground()) setTimeout(flush, waitMs)
      else afterTick(flush)
    },
    learn(most) {
      limit = Math.min(limit, most)
    },
  }
}
