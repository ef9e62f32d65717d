// What the answer of a host that a stranger named may cost, whatever of it is content: a chunk may hold one byte behind a head of
// thousands, and each piece takes as long as thousands of bytes.

import type { IncomingMessage } from 'node:http'

export interface CostBounds {
  /** Off the wire, heads included. */
  readonly bytes: number
  /** A body in chunks of one byte has ten thousand in one read from the wire, which is the last one then. */
  readonly pieces: number
}

/** To be called for each piece of the body: true when the answer has become too much to read on. */
export function costWatch({ socket }: IncomingMessage, { bytes, pieces }: CostBounds): () => boolean {
  let count = 0
  return () => ++count > pieces || socket.bytesRead > bytes
}
