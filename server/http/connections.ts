// How many connections there may be: in all, from one address without a key, and of one key. Who calls is known only with
// the first request, so an address with no room left is let in for that request: a key gives the connection a place
// among those of the key, and without one it is refused. A refused connection gets the reason before it is closed.

import type { Socket } from 'node:net'
import { type Caller, connectionsOf, subjectOf } from '../access/index.ts'
import { hangUpWith } from './wire.ts'

export interface ConnectionLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
}

export interface Connections {
  /** False when the connection was refused and closed. */
  admit(socket: Socket): boolean
  /**
   * Gives the connection its place once it is known who calls; null for a page, which anybody may read. False when there
   * is none: it was refused and closed then. Costs nothing after the first time.
   */
  claim(socket: Socket, caller: Caller | null): boolean
  readonly open: number
}

interface Seat {
  readonly address: string
  /** Of a proxy, whose connections carry calls of many, or of an unlimited machine; null until it is known. */
  exempt: boolean | null
  /** What it is counted under; null while it has to show a key. */
  owner: string | null
}

/** `exempt` names addresses that count for the total only: a proxy in front speaks for many. */
export function createConnections(limits: ConnectionLimits, exempt: (address: string) => boolean): Connections {
  const seats = new WeakMap<Socket, Seat>()
  const counts = new Map<string, number>()
  /** Of an address that is full, those who have not said yet who they are; the earliest first. */
  const unproven = new Map<string, Set<Socket>>()
  let open = 0

  function refuse(socket: Socket, error: string): false {
    hangUpWith(socket, 503, JSON.stringify({ ok: false, error, code: 503 }), ['Retry-After: 1'])
    return false
  }

  const isExempt = (seat: Seat, remote: string): boolean => {
    seat.exempt ??= exempt(remote)
    return seat.exempt
  }

  const tooMany = (): string => `too many connections from one address: ${limits.connectionsPerAddress} at most`

  function take(seat: Seat, owner: string): void {
    seat.owner = owner
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }

  function give(owner: string): void {
    const left = (counts.get(owner) ?? 1) - 1
    if (left > 0) counts.set(owner, left)
    else counts.delete(owner)
  }

  function forget(socket: Socket, { address }: Seat): void {
    const others = unproven.get(address)
    others?.delete(socket)
    if (others?.size === 0) unproven.delete(address)
  }

  /** Accepts a connection that has yet to send a key. An address that opens many loses its own earliest ones. */
  function letProve(socket: Socket, address: string): void {
    const others = unproven.get(address) ?? new Set()
    unproven.set(address, others)
    const [earliest] = others
    if (earliest !== undefined && others.size >= limits.connectionsPerAddress) {
      others.delete(earliest)
      refuse(earliest, tooMany())
    }
    others.add(socket)
  }

  return {
    get open() {
      return open
    },
    admit(socket) {
      if (open >= limits.connections) return refuse(socket, `too many connections: ${limits.connections} at most`)
      const remote = socket.remoteAddress ?? ''
      // Not the address itself: one customer line has a whole IPv6 /64 to call from.
      const address = subjectOf(remote)
      const seat: Seat = { address, exempt: null, owner: null }
      seats.set(socket, seat)
      const own = counts.get(address) ?? 0
      if (own < limits.connectionsPerAddress || isExempt(seat, remote)) take(seat, address)
      else letProve(socket, address)
      open++
      socket.once('close', () => {
        open--
        if (seat.owner !== null) give(seat.owner)
        forget(socket, seat)
      })
      return true
    },
    claim(socket, caller) {
      const seat = seats.get(socket)
      if (seat === undefined) return true
      const keyId = caller?.keyId ?? null
      if (caller === null || keyId === null) return seat.owner !== null || refuse(socket, tooMany())
      const owner = `key ${keyId}`
      if (seat.owner === owner || isExempt(seat, socket.remoteAddress ?? '')) return true
      const most = caller.tier === null ? Number.POSITIVE_INFINITY : connectionsOf(caller.tier)
      if ((counts.get(owner) ?? 0) >= most) return refuse(socket, `too many connections of one key: ${most} at most`)
      if (seat.owner !== null) give(seat.owner)
      forget(socket, seat)
      take(seat, owner)
      return true
    },
  }
}
