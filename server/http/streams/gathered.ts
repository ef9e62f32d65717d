// What is written to connections of streams in one turn of the event loop leaves with one call of the system for each. A thousand
// such calls take 10 to 20 ms, so they are made a slice of time in each turn.

import type { Duplex } from 'node:stream'

const SLICE_MS = 3

const gathering = new Set<Duplex>()

function flush(): void {
  const end = performance.now() + SLICE_MS
  for (const socket of gathering) {
    gathering.delete(socket)
    socket.uncork()
    if (performance.now() >= end) break
  }
  if (gathering.size > 0) setImmediate(flush)
}

/** Bytes that the connection has not taken, where it may hold so many: then what is gathered is offered to it first. */
export function unreadBytes(socket: Duplex, few: number): number {
  if (socket.writableLength > few && gathering.delete(socket)) socket.uncork()
  return socket.writableLength
}

/** Writes bytes as they are. */
export function writeGathered(socket: Duplex, bytes: Buffer): void {
  if (!gathering.has(socket)) {
    if (gathering.size === 0) setImmediate(flush)
    gathering.add(socket)
    socket.cork()
  }
  socket.write(bytes)
}
