// Connections from which nothing is read for a while. Node resumes a connection with each request on it that is over, so a pause
// alone would not last.

import type { Socket } from 'node:net'

/** Why nothing is read: many requests wait, or its chunks are many. */
type Reason = 'requests' | 'chunks'

const held = new WeakMap<Socket, Set<Reason>>()

function reasonsOf(socket: Socket): Set<Reason> {
  const known = held.get(socket)
  if (known !== undefined) return known
  const reasons = new Set<Reason>()
  held.set(socket, reasons)
  socket.on('resume', () => {
    if (reasons.size > 0) socket.pause()
  })
  return reasons
}

export function holdReading(socket: Socket, reason: Reason): void {
  reasonsOf(socket).add(reason)
  socket.pause()
}

/** Nothing is read until no reason is left. */
export function releaseReading(socket: Socket, reason: Reason): void {
  const reasons = held.get(socket)
  if (reasons?.delete(reason) && reasons.size === 0) socket.resume()
}
