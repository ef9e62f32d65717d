// How many connections there may be: in all, from one address without a key, and of one key. Who calls is known only with
// the first request, so an address with no room left is let in for that request: a key gives the connection a place
// among those of the key, and without one it is refused. When all seats are taken, connections that are not used make room, so
// that twenty addresses with fifty each do not keep everybody out. Counted here for all processes that answer.

import { type Caller, connectionsOf, subjectOf } from '../../access/index.ts'

export interface SeatLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly sockets: number
}

/** One connection. */
export interface ConnectionSeat {
  readonly remote: string
  readonly address: string
  /** Of a proxy, whose connections carry calls of many, or of an unlimited machine; null until it is known. */
  exempt: boolean | null
  /** What it is counted under; null while it has to show a key. */
  owner: string | null
  /** Whether it is counted as a WebSocket. */
  isSocket: boolean
  /** Whether the sender of a request is known. */
  hasRequested: boolean
  /** Whether nothing is being done for it. Of a connection in another process this is what that process said last. */
  isIdle: () => boolean
  /** Refuses the connection with a reason and closes it. */
  refuse: (why: string) => void
}

export class ConnectionSeats {
  readonly #limits: SeatLimits
  readonly #exempt: (address: string) => boolean
  readonly #counts = new Map<string, number>()
  /** Of an address that is full, those who have not said yet who they are; the earliest first. */
  readonly #unproven = new Map<string, Set<ConnectionSeat>>()
  /** All that are open, the earliest first. */
  readonly #seats = new Set<ConnectionSeat>()
  #sockets = 0

  /** `exempt` names addresses that count for the total only: a proxy in front speaks for many. */
  constructor(limits: SeatLimits, exempt: (address: string) => boolean) {
    this.#limits = limits
    this.#exempt = exempt
  }

  get open(): number {
    return this.#seats.size
  }

  /** Null when the connection was refused. */
  admit(remote: string, refuse: (why: string) => void): ConnectionSeat | null {
    const { connections, connectionsPerAddress } = this.#limits
    // Not the address itself: one customer line has a whole IPv6 /64 to call from.
    const address = subjectOf(remote)
    const own = this.#counts.get(address) ?? 0
    if (this.#seats.size >= connections && !this.#makeRoom(own)) {
      refuse(this.#tooManyInAll())
      return null
    }
    const seat: ConnectionSeat = {
      ...{ remote, address, exempt: null, owner: null, isSocket: false, hasRequested: false, refuse },
      isIdle: () => !seat.hasRequested,
    }
    if (own < connectionsPerAddress || this.#isExempt(seat)) this.#take(seat, address)
    else this.#letProve(seat)
    this.#seats.add(seat)
    return seat
  }

  /** The first request has come; nothing for a connection that is gone. */
  noteRequest(seat: ConnectionSeat | undefined): void {
    if (seat !== undefined) seat.hasRequested = true
  }

  /** What another process says of a connection. */
  noteIdle(seat: ConnectionSeat | undefined, isIdle: boolean): void {
    if (seat === undefined) return
    if (!isIdle) seat.hasRequested = true
    seat.isIdle = () => isIdle
  }

  /** Gives it a seat once its caller is known; null for a page, which anybody may read. Returns why there is no seat. */
  claim(seat: ConnectionSeat, caller: Caller | null): string | null {
    // Closed while its key was looked up: a seat that is taken now would never be given back.
    if (!this.#seats.has(seat)) return null
    const keyId = caller?.keyId ?? null
    if (caller === null || keyId === null) return seat.owner === null ? this.#tooMany() : null
    const owner = `key ${keyId}`
    if (seat.owner === owner || this.#isExempt(seat)) return null
    const most = caller.tier === null ? Number.POSITIVE_INFINITY : connectionsOf(caller.tier)
    if ((this.#counts.get(owner) ?? 0) >= most) return `too many connections of one key: ${most} at most`
    this.#give(seat)
    this.#forget(seat)
    this.#take(seat, owner)
    return null
  }

  /** False when there are too many WebSockets. `refuse` closes this one when it has to make room. */
  claimSocket(seat: ConnectionSeat, refuse = seat.refuse): boolean {
    if (seat.isSocket) return true
    if (!this.#seats.has(seat)) return false
    if (this.#sockets >= this.#limits.sockets && !this.#makeRoomForSocket(seat)) return false
    this.#sockets++
    seat.isSocket = true
    seat.refuse = refuse
    return true
  }

  /** The connection is closed, or is to make room. */
  release(seat: ConnectionSeat): void {
    if (!this.#seats.delete(seat)) return
    if (seat.isSocket) this.#sockets--
    this.#give(seat)
    this.#forget(seat)
  }

  #isExempt(seat: ConnectionSeat): boolean {
    seat.exempt ??= this.#exempt(seat.remote)
    return seat.exempt
  }

  #tooMany(): string {
    return `too many connections from one address: ${this.#limits.connectionsPerAddress} at most`
  }

  #tooManyInAll(): string {
    return `too many connections: ${this.#limits.connections} at most`
  }

  /**
   * Refuses a connection, for a new one of an address that has `own`: of the address with the most, the earliest that is
   * not used. False when all are used.
   */
  #makeRoom(own: number): boolean {
    let found: ConnectionSeat | null = null
    let most = 0
    for (const seat of this.#seats) {
      const count = this.#counts.get(seat.address) ?? 0
      if (count <= most || !this.#isUnused(seat)) continue
      // One that is kept for further requests makes room only for an address that has fewer, the new connection counted.
      if (seat.hasRequested && count <= own + 1) continue
      found = seat
      most = count
    }
    if (found === null) return false
    this.release(found)
    found.refuse(this.#tooManyInAll())
    return true
  }

  /** Whether it may be closed for another: it is no WebSocket, has no key, and nothing is being done for it. */
  #isUnused(seat: ConnectionSeat): boolean {
    const isKeyed = seat.owner !== null && seat.owner !== seat.address
    return !seat.isSocket && !isKeyed && seat.isIdle() && !this.#isExempt(seat)
  }

  /** Refuses the earliest WebSocket of the address with the most, where that has more than the newcomer's caller will have. */
  #makeRoomForSocket({ owner: own, address }: ConnectionSeat): boolean {
    const counts = new Map<string, number>()
    for (const one of this.#seats) {
      const name = one.owner ?? one.address
      if (one.isSocket) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    let found: ConnectionSeat | null = null
    let most = (counts.get(own ?? address) ?? 0) + 1
    for (const one of this.#seats) {
      const count = counts.get(one.address) ?? 0
      if (!one.isSocket || one.owner !== one.address || count <= most || this.#isExempt(one)) continue
      found = one
      most = count
    }
    if (found === null) return false
    found.isSocket = false
    this.#sockets--
    found.refuse(`too many WebSockets: ${this.#limits.sockets} at most`)
    return true
  }

  #take(seat: ConnectionSeat, owner: string): void {
    seat.owner = owner
    this.#counts.set(owner, (this.#counts.get(owner) ?? 0) + 1)
  }

  #give({ owner }: ConnectionSeat): void {
    if (owner === null) return
    const left = (this.#counts.get(owner) ?? 1) - 1
    if (left > 0) this.#counts.set(owner, left)
    else this.#counts.delete(owner)
  }

  #forget(seat: ConnectionSeat): void {
    const others = this.#unproven.get(seat.address)
    others?.delete(seat)
    if (others?.size === 0) this.#unproven.delete(seat.address)
  }

  /** Accepts a connection that has yet to send a key. An address that opens many loses its own earliest ones. */
  #letProve(seat: ConnectionSeat): void {
    const others = this.#unproven.get(seat.address) ?? new Set()
    this.#unproven.set(seat.address, others)
    const [earliest] = others
    if (earliest !== undefined && others.size >= this.#limits.connectionsPerAddress) {
      others.delete(earliest)
      earliest.refuse(this.#tooMany())
    }
    others.add(seat)
  }
}
