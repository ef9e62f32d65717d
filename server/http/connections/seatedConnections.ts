// Connections that this process accepted and counts.

import type { Socket } from 'node:net'
import type { Caller } from '../../access/index.ts'
import type { ConnectionSeat, ConnectionSeats } from './connectionSeats.ts'
import { type Connections, closeUnused, refuseConnection } from './connections.ts'
import { isIdle } from './plainUpgrade.ts'

export class SeatedConnections implements Connections {
  readonly #seats: ConnectionSeats
  readonly #mostRefusals: number
  readonly #seatOf = new WeakMap<Socket, ConnectionSeat>()
  /** Connections that have no seat, and are open until their peer has read why. */
  #refusals = 0

  constructor(seats: ConnectionSeats, mostRefusals: number) {
    this.#seats = seats
    this.#mostRefusals = mostRefusals
  }

  /** Whether the next connection needs another one to make room. */
  get isFull(): boolean {
    return this.#seats.isFull
  }

  /** Null when the connection was refused and closed. */
  admit(socket: Socket): ConnectionSeat | null {
    return this.#seats.admit(socket.remoteAddress ?? '', (why) => {
      if (this.#seatOf.has(socket)) closeUnused(socket, () => this.#refuse(socket, why))
      else this.#refuse(socket, why)
    })
  }

  /** Serves the connection until it is closed. */
  seat(socket: Socket, seat: ConnectionSeat): void {
    this.adopt(socket, seat)
    seat.isIdle = () => isIdle(socket)
    socket.once('close', () => this.#seats.release(seat))
  }

  /** Serves a connection of another process, which releases its seat. */
  adopt(socket: Socket, seat: ConnectionSeat): void {
    this.#seatOf.set(socket, seat)
  }

  claim(socket: Socket, caller: Caller | null): boolean {
    const seat = this.#seatOf.get(socket)
    if (seat === undefined) return true
    this.#seats.noteRequest(seat)
    const why = this.#seats.claim(seat, caller)
    return why === null || refuseConnection(socket, why)
  }

  claimSocket(socket: Socket, refuse: (why: string) => void): boolean {
    const seat = this.#seatOf.get(socket)
    return seat === undefined || this.#seats.claimSocket(seat, refuse)
  }

  #refuse(socket: Socket, why: string): void {
    if (this.#refusals >= this.#mostRefusals) return void socket.destroy()
    this.#refusals++
    socket.once('close', () => this.#refusals--)
    refuseConnection(socket, why)
  }
}
