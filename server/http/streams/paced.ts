// How a stream is written to a connection: what its reader leaves unread is bounded, and a replay waits for the reader.

import { type After, afterTime } from '../../process/index.ts'
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

export interface Pace {
  /** A notification ends the connection, instead of being sent, when more bytes than this are unread. */
  readonly streamBytes: number
  /** A replay waits for what is unread so long as a reader of so many bytes a second needs for it. */
  readonly streamBytesPerSecond: number
}

/** `onSlow` is called when the connection of a reader that does not read is ended. */
export function pacedSink(
  wire: Wire,
  { streamBytes, streamBytesPerSecond }: Pace,
  onSlow: () => void,
  after: After = afterTime,
): Sink {
  let isSlow = false
  const end = (): void => {
    isSlow = true
    onSlow()
    wire.tooSlow()
  }
  return {
    get isClosed() {
      return isSlow || wire.isClosed
    },
    send(text, cursor) {
      if (isSlow || wire.isClosed) return
      // Checked before: one notification alone may be larger, and would be again after each resume.
      if (wire.unread() > streamBytes) return end()
      wire.write(text, cursor)
    },
    async drained(ms) {
      const few = streamBytes / 4
      const isWaiting = (): boolean => !isSlow && !wire.isClosed && wire.unread() > few
      if (!isWaiting()) return
      let isLate = false
      let onLate = (): void => undefined
      const late = new Promise<void>((resolve) => {
        onLate = resolve
      })
      const cancel = after(ms ?? (wire.unread() / streamBytesPerSecond) * 1000, () => {
        if (ms === undefined && isWaiting()) end()
        isLate = true
        onLate()
      })
      while (isWaiting() && !isLate) await Promise.race([late, new Promise<void>((resolve) => wire.onTaken(resolve))])
      cancel()
    },
    fail: () => wire.fail(),
  }
}
