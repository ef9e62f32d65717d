// Pausing reads of a connection. Node resumes a connection whenever a request on it ends, so a pause has to be repeated.

import type { Socket } from 'node:net'

/** Why reading is paused: too many pending requests, or too many small chunks. */
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

/** Resumes reading when no other reason is left. */
export function releaseReading(socket: Socket, reason: Reason): void {
  const reasons = held.get(socket)
  if (reasons?.delete(reason) && reasons.size === 0) socket.resume()
}
