// How a request has ended, for its line in the log and its span.

import type { HttpExchange } from './exchange.ts'

interface Outcome {
  /** HTTP status; 0 when the caller left before the answer was sent. A stream that began was answered. */
  readonly status: number
  /** Of the body, as sent. */
  readonly bytes: number
}

export const endOfExchange = ({ req, res, sentBytes, streamedFrom }: HttpExchange): Outcome => ({
  status: streamedFrom !== null || res.writableFinished ? res.statusCode : 0,
  bytes: streamedFrom === null ? sentBytes : req.socket.bytesWritten - streamedFrom,
})
