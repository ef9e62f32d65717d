// How many connections there may be, in all and from one address. A refused one is told why before it is closed.

import type { Socket } from 'node:net'
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
  const byAddress = new Map<string, number>()
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
      const own = byAddress.get(address) ?? 0
      if (open >= limits.connections) return refuse(socket, `too many connections: ${limits.connections} at most`)
      if (own >= limits.connectionsPerAddress && !exempt(address)) {
        return refuse(socket, `too many connections from one address: ${limits.connectionsPerAddress} at most`)
      }
      open++
      byAddress.set(address, own + 1)
      socket.once('close', () => {
        open--
        const left = (byAddress.get(address) ?? 1) - 1
        if (left > 0) byAddress.set(address, left)
        else byAddress.delete(address)
      })
      return true
    },
  }
}
