// Requests without a body. Node makes a stream for the body of each, which it ends, closes and destroys in seven steps of their own
// after the reply: a twentieth of a small call. Newer versions have an option that leaves them out for all requests; where a
// listener waits for such an end, as a relay does, it must come.

import type { IncomingMessage } from 'node:http'

/** By the headers. Without a body a request has ended with its head, before the parser reports that. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Where Node keeps how far the stream of a body is; the types leave it out. */
interface BodyStream extends IncomingMessage {
  _dumped?: boolean
  readonly _readableState?: {
    ended: boolean
    endEmitted: boolean
    destroyed: boolean
    closed: boolean
    closeEmitted: boolean
  }
}

/** Takes the stream as read and closed, with no event of it to come. Does nothing where Node keeps that elsewhere. */
export function closeEmptyBody(req: BodyStream): void {
  const state = req._readableState
  if (req._dumped !== false || state?.endEmitted !== false || hasBody(req)) return
  req._dumped = true
  state.ended = true
  state.endEmitted = true
  state.destroyed = true
  state.closed = true
  state.closeEmitted = true
}
