// How a stream is written to a connection: what its reader leaves unread is bounded, and a replay waits for the reader.

import type { Sink } from '../../streaming/index.ts'

/** One connection under a stream. */
export interface Wire {
  write(text: string, cursor: string | null): void
  /** Bytes that were written and not taken yet. */
  unread(): number
  /** Calls back once, when something was taken or the connection has ended. */
  onTaken(callback: () => void): void
  /** Ends the connection of a reader that does not read. */
  tooSlow(): void
  fail(): void
  readonly isClosed: boolean
}

export const SLOW_TEXT = 'too slow: reconnect and resume'

export function pacedSink(wire: Wire, mostBytes: number, onSlow: () => void): Sink {
  let isSlow = false
  return {
    get isClosed() {
      return isSlow || wire.isClosed
    },
    send(text, cursor) {
      if (isSlow || wire.isClosed) return
      wire.write(text, cursor)
      if (wire.unread() <= mostBytes) return
      isSlow = true
      onSlow()
      wire.tooSlow()
    },
    async drained() {
      while (!isSlow && !wire.isClosed && wire.unread() > mostBytes / 4)
        await new Promise<void>((resolve) => wire.onTaken(resolve))
    },
    fail: () => wire.fail(),
  }
}
