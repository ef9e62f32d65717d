// Connections that another process accepted, counts and handed over: that process hears what it has to know of them.

import type { Socket } from 'node:net'
import type { Caller } from '../access/index.ts'
import { type Connections, closeUnused, refuseConnection } from './connections.ts'
import { isIdle } from './plainUpgrade.ts'

/** Where connections of this process are counted. */
export interface Counting {
  claim(seat: number, caller: Caller): Promise<string | null>
  claimSocket(seat: number): Promise<boolean>
  /** A request has come, the first or one after a rest; or it has been idle for a moment. */
  noteIdle(seat: number, isIdle: boolean): void
  released(seat: number): void
}

/** A connection that was accepted and is counted elsewhere. */
export interface HandedSeat {
  readonly seat: number
  /** Why it has no seat without a key; null when it has one. */
  readonly whyNone: string | null
}

/** Between two looks for connections that have become idle, or are not any more. */
const LOOK_MS = 1_000

export class HandedConnections implements Connections {
  readonly #counting: Counting
  readonly #seatOf = new WeakMap<Socket, HandedSeat>()
  readonly #keyOf = new WeakMap<Socket, string>()
  readonly #sockets = new Map<number, Socket>()
  /** Those of which no request has come, or none since they were found idle. */
  readonly #idle = new Set<number>()
  /** Why connections were refused that have not arrived yet: a refusal takes another way here, and may overtake them. */
  readonly #refusedEarly = new Map<number, string>()
  #newest = -1

  constructor(counting: Counting) {
    this.#counting = counting
    setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /** Serves the connection until it is closed. */
  seat(socket: Socket, handed: HandedSeat): void {
    this.#seatOf.set(socket, handed)
    this.#sockets.set(handed.seat, socket)
    this.#idle.add(handed.seat)
    socket.once('close', () => {
      this.#idle.delete(handed.seat)
      this.#sockets.delete(handed.seat)
      this.#counting.released(handed.seat)
    })
    this.#newest = handed.seat
    const why = this.#refusedEarly.get(handed.seat)
    if (why !== undefined) refuseConnection(socket, why)
    // Also of those before it: one that was closed on its way never arrives.
    for (const seat of this.#refusedEarly.keys()) if (seat <= handed.seat) this.#refusedEarly.delete(seat)
  }

  /** Closes a connection, now or when it arrives: they arrive in the order of their seats. */
  refuse(seat: number, why: string): void {
    const socket = this.#sockets.get(seat)
    if (socket !== undefined) closeUnused(socket, why)
    else if (seat > this.#newest) this.#refusedEarly.set(seat, why)
  }

  claim(socket: Socket, caller: Caller | null): boolean | Promise<boolean> {
    const handed = this.#seatOf.get(socket)
    if (handed === undefined) return true
    if (this.#idle.delete(handed.seat)) this.#counting.noteIdle(handed.seat, false)
    const known = this.#keyOf.get(socket) ?? null
    if (caller === null || caller.keyId === null)
      return handed.whyNone === null || known !== null || refuseConnection(socket, handed.whyNone)
    return caller.keyId === known || this.#ask(socket, handed, caller)
  }

  claimSocket(socket: Socket): boolean | Promise<boolean> {
    const seat = this.#seatOf.get(socket)
    return seat === undefined || this.#counting.claimSocket(seat.seat)
  }

  /** Says what has changed: which are idle decides who makes room when all seats are taken. */
  #look(): void {
    for (const [seat, socket] of this.#sockets) {
      const idle = isIdle(socket)
      if (idle === this.#idle.has(seat)) continue
      if (idle) this.#idle.add(seat)
      else this.#idle.delete(seat)
      this.#counting.noteIdle(seat, idle)
    }
  }

  async #ask(socket: Socket, { seat }: HandedSeat, caller: Caller): Promise<boolean> {
    const why = await this.#counting.claim(seat, caller)
    if (why !== null) return refuseConnection(socket, why)
    if (caller.keyId !== null) this.#keyOf.set(socket, caller.keyId)
    return true
  }
}
