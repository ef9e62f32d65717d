// Where connections come from: a port of this process, or another process that hands them over.

import { type AddressInfo, createServer, type Socket } from 'node:net'
import { noteArrival } from '../../fairness/index.ts'
import type { ConnectionSeat } from './connectionSeats.ts'
import type { Connections } from './connections.ts'
import type { SeatedConnections } from './seatedConnections.ts'

export interface Entrance {
  readonly connections: Connections
  /** Passes each connection on from now; resolves with where it listens, `http://127.0.0.1:8081`. */
  open(take: (socket: Socket) => void): Promise<string>
  /** No further connections come. */
  close(): void
}

/** Gives a connection to another process that is ready; false while none is. */
export type HandOver = (socket: Socket, seat: ConnectionSeat) => boolean

interface PortOptions {
  readonly host: string
  readonly port: number
  readonly connections: SeatedConnections
  readonly handOver: HandOver | null
}

export interface PortEntrance extends Entrance {
  /** Takes a connection that another process has read from. */
  adopt(socket: Socket, seat: ConnectionSeat): void
}

export function portEntrance({ host, port, connections, handOver }: PortOptions): PortEntrance {
  // A connection from which something was read cannot be handed over.
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: handOver !== null })
  let attend: (socket: Socket) => void = (socket) => socket.destroy()
  return {
    connections,
    adopt(socket, seat) {
      connections.adopt(socket, seat)
      attend(socket)
      socket.resume()
    },
    async open(take) {
      attend = take
      const admit = (socket: Socket): void => {
        const seat = connections.admit(socket)
        if (seat === null || handOver?.(socket, seat)) return
        connections.seat(socket, seat)
        take(socket)
        if (handOver !== null) socket.resume()
      }
      server.on('connection', (socket: Socket) => {
        noteArrival()
        if (handOver === null || !connections.isFull) return admit(socket)
        // Workers may just have said which connections are used. That is read first, or a used one could be closed for this one.
        setImmediate(() => setImmediate(() => (server.listening ? admit(socket) : socket.destroy())))
      })
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, resolve)
      })
      // The cast: it listens on a port, and not on a path.
      const at = server.address() as AddressInfo
      return `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`
    },
    close: () => void server.close(),
  }
}
