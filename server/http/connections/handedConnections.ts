// Connections that another process accepted, counts and handed over: that process hears what it has to know of them.

import type { Socket } from 'node:net'
import type { Caller } from '../../access/index.ts'
import { type Connections, closeUnused, refuseConnection } from './connections.ts'
import { isIdle } from './plainUpgrade.ts'

/** Where connections of this process are counted. */
export interface Counting {
  claim(seatId: number, caller: Caller): Promise<string | null>
  claimSocket(seatId: number): Promise<boolean>
  /** A request has come, the first or one after a rest; or it has been idle for a moment. */
  noteIdle(seatId: number, isIdle: boolean): void
  released(seatId: number): void
}

/** A connection that was accepted and is counted elsewhere. */
export interface HandedSeat {
  /** Its number at the process that counts it: later connections have greater ones. */
  readonly seatId: number
  /** Why it has no seat without a key; null when it has one. */
  readonly whyNone: string | null
}

interface OpenConnection {
  readonly socket: Socket
  /** No request has come of it, or none since it was found idle. */
  isIdle: boolean
}

/** Between two looks for connections that have become idle, or are not any more. */
const LOOK_MS = 1_000

export class HandedConnections implements Connections {
  readonly #counting: Counting
  readonly #seatOf = new WeakMap<Socket, HandedSeat>()
  readonly #keyOf = new WeakMap<Socket, string>()
  readonly #open = new Map<number, OpenConnection>()
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
    this.#open.set(handed.seatId, { socket, isIdle: true })
    socket.once('close', () => {
      this.#open.delete(handed.seatId)
      this.#counting.released(handed.seatId)
    })
    this.#newest = handed.seatId
    const why = this.#refusedEarly.get(handed.seatId)
    if (why !== undefined) refuseConnection(socket, why)
    // Also of those before it: one that was closed on its way never arrives.
    for (const id of this.#refusedEarly.keys()) if (id <= handed.seatId) this.#refusedEarly.delete(id)
  }

  /** Closes a connection, now or when it arrives: they arrive in the order of their seats. */
  refuse(seatId: number, why: string): void {
    const socket = this.#open.get(seatId)?.socket
    if (socket !== undefined) closeUnused(socket, () => refuseConnection(socket, why))
    else if (seatId > this.#newest) this.#refusedEarly.set(seatId, why)
  }

  claim(socket: Socket, caller: Caller | null): boolean | Promise<boolean> {
    const handed = this.#seatOf.get(socket)
    if (handed === undefined) return true
    this.#noteIdle(handed.seatId, false)
    const known = this.#keyOf.get(socket) ?? null
    if (caller === null || caller.keyId === null)
      return handed.whyNone === null || known !== null || refuseConnection(socket, handed.whyNone)
    return caller.keyId === known || this.#ask(socket, handed, caller)
  }

  claimSocket(socket: Socket): boolean | Promise<boolean> {
    const handed = this.#seatOf.get(socket)
    return handed === undefined || this.#counting.claimSocket(handed.seatId)
  }

  /** Says what has changed: which are idle decides who makes room when all seats are taken. */
  #look(): void {
    for (const [seatId, { socket }] of this.#open) this.#noteIdle(seatId, isIdle(socket))
  }

  #noteIdle(seatId: number, idle: boolean): void {
    const open = this.#open.get(seatId)
    if (open === undefined || open.isIdle === idle) return
    open.isIdle = idle
    this.#counting.noteIdle(seatId, idle)
  }

  async #ask(socket: Socket, { seatId }: HandedSeat, caller: Caller): Promise<boolean> {
    const why = await this.#counting.claim(seatId, caller)
    if (why !== null) return refuseConnection(socket, why)
    if (caller.keyId !== null) this.#keyOf.set(socket, caller.keyId)
    return true
  }
}
