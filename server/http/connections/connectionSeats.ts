// How many connections there may be: in all, from one address without a key, and of one key. Who calls is known only with
// the first request, so an address with no room left is let in for that request: a key gives the connection a place
// among those of the key, and without one it is refused. When all seats are taken, connections that are not used make room, so
// that twenty addresses with fifty each do not keep everybody out. Counted here for all processes that answer.

import { type Caller, connectionsOf, subjectOf } from '../../access/index.ts'
import { byNetworks, crowdsBeyond } from '../../fairness/index.ts'

export interface SeatLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly sockets: number
}

/** One connection. */
export interface ConnectionSeat {
  readonly remote: string
  readonly address: string
  /** What one owner of addresses may have. */
  readonly network: string
  /** Of a proxy, whose connections carry calls of many, or of an unlimited machine; null until it is known. */
  exempt: boolean | null
  /** What it is counted under; null while it has to show a key. */
  owner: string | null
  /** Whether it is counted as a WebSocket. */
  isSocket: boolean
  /** When it was last known to be used, by the clock of the seats; null until the sender of a request is known. */
  usedAt: number | null
  /** Whether nothing is being done for it. Of a connection in another process this is what that process said last. */
  isIdle: () => boolean
  /** Refuses the connection with a reason and closes it. */
  refuse: (why: string) => void
}

/** What one owner may have of addresses, at little cost: 24 bits of IPv4, 48 of IPv6. Takes what `subjectOf` returns. */
const ownersNetwork = (subject: string): string =>
  subject.includes(':') ? subject.split(':', 3).join(':') : subject.slice(0, subject.lastIndexOf('.'))

const byOwners = (seats: readonly ConnectionSeat[]): ReadonlyMap<string, readonly ConnectionSeat[]> =>
  byNetworks(seats, ({ network }) => network)

/** At rest for longer than that, a connection makes room for an address that has none. */
const REST_MS = 2_000

export class ConnectionSeats {
  readonly #limits: SeatLimits
  readonly #exempt: (address: string) => boolean
  readonly #now: () => number
  readonly #counts = new Map<string, number>()
  /** Of an address that is full, those who have not said yet who they are; the earliest first. */
  readonly #unproven = new Map<string, Set<ConnectionSeat>>()
  /** All that are open, the earliest first. */
  readonly #seats = new Set<ConnectionSeat>()
  #sockets = 0

  /** `exempt` names addresses that count for the total only: a proxy in front speaks for many. */
  constructor(limits: SeatLimits, exempt: (address: string) => boolean, now = () => performance.now()) {
    this.#limits = limits
    this.#exempt = exempt
    this.#now = now
  }

  get open(): number {
    return this.#seats.size
  }

  /** Whether the next connection needs another one to make room. */
  get isFull(): boolean {
    return this.#seats.size >= this.#limits.connections
  }

  /** Null when the connection was refused. */
  admit(remote: string, refuse: (why: string) => void): ConnectionSeat | null {
    const { connectionsPerAddress } = this.#limits
    // Not the address itself: one customer line has a whole IPv6 /64 to call from.
    const address = subjectOf(remote)
    const own = this.#counts.get(address) ?? 0
    const network = ownersNetwork(address)
    if (this.isFull && !this.#makeRoom(own, network)) {
      refuse(this.#tooManyInAll())
      return null
    }
    const seat: ConnectionSeat = {
      remote,
      address,
      network,
      exempt: null,
      owner: null,
      isSocket: false,
      usedAt: null,
      refuse,
      isIdle: () => seat.usedAt === null,
    }
    if (own < connectionsPerAddress || this.#isExempt(seat)) this.#take(seat, address)
    else this.#letProve(seat)
    this.#seats.add(seat)
    return seat
  }

  /** The first request has come; nothing for a connection that is gone. */
  noteRequest(seat: ConnectionSeat | undefined): void {
    if (seat !== undefined) seat.usedAt = this.#now()
  }

  /** What another process says of a connection. */
  noteIdle(seat: ConnectionSeat | undefined, isIdle: boolean): void {
    if (seat === undefined) return
    if (!isIdle || seat.usedAt !== null) seat.usedAt = this.#now()
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

  /** Refuses a connection, for a new one of an address that has `own`. False when all are used. */
  #makeRoom(own: number, network: string): boolean {
    const found = this.#ofTheMost(own) ?? this.#ofNetworks(own, network)
    if (found === null) return false
    this.release(found)
    found.refuse(this.#tooManyInAll())
    return true
  }

  /** Of the address with the most, the earliest that is not used. */
  #ofTheMost(own: number): ConnectionSeat | null {
    let found: ConnectionSeat | null = null
    let most = 0
    for (const seat of this.#seats) {
      const count = this.#counts.get(seat.address) ?? 0
      if (count <= most || !this.#isUnused(seat)) continue
      // One that is kept for further requests makes room only for an address that has fewer, the new connection counted.
      if (seat.usedAt !== null && count <= own + 1) continue
      found = seat
      most = count
    }
    return found
  }

  /**
   * Thousands of addresses with one connection each would keep all others out. So the connection of a large network that was unused
   * for the longest makes room; without one, a connection at rest, for an address that has none, and of no smaller network than its own.
   */
  #ofNetworks(own: number, newcomer: string): ConnectionSeat | null {
    const networks = byOwners([...this.#seats].filter((seat) => !this.#isKeyed(seat) && !this.#isExempt(seat)))
    const ours = networks.get(newcomer)?.length ?? 0
    const longestUnused = (seats: readonly ConnectionSeat[], before: number): ConnectionSeat | null => {
      let found: ConnectionSeat | null = null
      for (const seat of seats) if ((seat.usedAt ?? 0) < (found?.usedAt ?? before) && this.#isUnused(seat)) found = seat
      return found
    }
    for (const crowd of crowdsBeyond(ours, networks)) {
      const found = longestUnused(crowd, Number.POSITIVE_INFINITY)
      if (found !== null) return found
    }
    if (own > 0) return null
    const others = [...networks.values()].filter((some) => some.length >= ours)
    return longestUnused(others.flat(), this.#now() - REST_MS)
  }

  #isKeyed({ owner, address }: ConnectionSeat): boolean {
    return owner !== null && owner !== address
  }

  /** Whether it may be closed for another: it is no WebSocket, has no key, and nothing is being done for it. */
  #isUnused(seat: ConnectionSeat): boolean {
    return !seat.isSocket && !this.#isKeyed(seat) && seat.isIdle() && !this.#isExempt(seat)
  }

  #makeRoomForSocket(newcomer: ConnectionSeat): boolean {
    const found = this.#socketToClose(newcomer)
    if (found === null) return false
    found.isSocket = false
    this.#sockets--
    found.refuse(`too many WebSockets: ${this.#limits.sockets} at most`)
    return true
  }

  /** The earliest WebSocket of the address, or the network, with the most, where that has more than the newcomer's caller will have. */
  #socketToClose({ owner: own, address, network }: ConnectionSeat): ConnectionSeat | null {
    const counts = new Map<string, number>()
    for (const one of this.#seats) {
      const name = one.owner ?? one.address
      if (one.isSocket) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const name = own ?? address
    const ours = counts.get(name) ?? 0
    const sockets = [...this.#seats].filter((one) => one.isSocket && one.owner === one.address && !this.#isExempt(one))
    let found: ConnectionSeat | null = null
    let most = ours + 1
    for (const one of sockets) {
      const count = counts.get(one.address) ?? 0
      if (count <= most) continue
      found = one
      most = count
    }
    if (found !== null) return found
    const networks = byOwners(sockets)
    const [largest] = crowdsBeyond(name === address ? (networks.get(network)?.length ?? 0) : ours, networks)
    return largest?.[0] ?? null
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
