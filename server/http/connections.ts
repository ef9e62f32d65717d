// How many connections there may be, in all and from one address. A refused one is told why before it is closed.

import type { Socket } from 'node:net'
import { subjectOf } from '../access/index.ts'
import { hangUpWith } from './wire.ts'

export interface ConnectionLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
}

export interface Connections {
  /** False when the connection was refused and closed. */
  admit(socket: Socket): boolean
  readonly open: number
}

/** `exempt` names addresses that count for the total only: a proxy in front speaks for many. */
export function createConnections(limits: ConnectionLimits, exempt: (address: string) => boolean): Connections {
  const bySubject = new Map<string, number>()
  let open = 0

  function refuse(socket: Socket, error: string): false {
    hangUpWith(socket, 503, JSON.stringify({ ok: false, error, code: 503 }), ['Retry-After: 1'])
    return false
  }

  return {
    get open() {
      return open
    },
    admit(socket) {
      const address = socket.remoteAddress ?? ''
      // Not the address itself: one customer line has a whole IPv6 /64 to call from.
      const subject = subjectOf(address)
      const own = bySubject.get(subject) ?? 0
      if (open >= limits.connections) return refuse(socket, `too many connections: ${limits.connections} at most`)
      if (own >= limits.connectionsPerAddress && !exempt(address)) {
        return refuse(socket, `too many connections from one address: ${limits.connectionsPerAddress} at most`)
      }
      open++
      bySubject.set(subject, own + 1)
      socket.once('close', () => {
        open--
        const left = (bySubject.get(subject) ?? 1) - 1
        if (left > 0) bySubject.set(subject, left)
        else bySubject.delete(subject)
      })
      return true
    },
  }
}
