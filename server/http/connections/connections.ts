// What the connections of a process are asked before they are served. A refused one gets the reason before it is closed.

import type { Socket } from 'node:net'
import type { Caller } from '../../access/index.ts'
import { bareRefusal, hangUpWith } from './brokenRequest.ts'
import { endAfterReply, isIdle } from './plainUpgrade.ts'

export interface Connections {
  /**
   * Counts the connection to its caller once that is known; null for a page, which has no caller. False when the caller has too
   * many: then it was refused and closed. Free of cost after the first time.
   */
  claim(socket: Socket, caller: Caller | null): boolean | Promise<boolean>
  /** Whether it may become a WebSocket, which `refuse` closes when it has to make room for another caller. */
  claimSocket(socket: Socket, refuse: (why: string) => void): boolean | Promise<boolean>
}

export function refuseConnection(socket: Socket, error: string): false {
  hangUpWith(socket, 503, JSON.stringify(bareRefusal(503, error)), ['Retry-After: 1'])
  return false
}

/**
 * Refuses a connection that was found idle. A request that has arrived and was not read yet is read before, and one that has come
 * is answered: the connection ends with its answer.
 */
export function closeUnused(socket: Socket, refuse: () => void): void {
  setImmediate(() =>
    setImmediate(() => {
      // It has emitted `close`: its refusal would be counted for ever.
      if (socket.destroyed) return
      if (isIdle(socket)) refuse()
      else endAfterReply(socket)
    }),
  )
}
