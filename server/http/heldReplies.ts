// What callers leave unread, of all connections together. Each connection has bounds of its own, but a thousand that stay below
// them took all the memory there was. Who leaves most unread gives way; nobody waits for that.

import type { Duplex } from 'node:stream'

/** A connection whose replies may be left unread. */
export class ReplyHolder {
  readonly #socket: Duplex
  /** Whose they are: connections of one caller count together. */
  subject: string
  /** Bytes and characters of replies that wait before the connection. */
  waiting: () => number = () => 0
  /** Called again when it takes too long to leave. */
  giveWay: () => void

  constructor(socket: Duplex, subject: string) {
    this.#socket = socket
    this.subject = subject
    this.giveWay = () => void socket.destroy()
  }

  get held(): number {
    return this.#socket.writableLength + this.waiting()
  }
}

/** A reply that does not change whose connection it is. */
const SHORT = 16 * 1024

/** All are looked at each time this part of the bound was written. */
const LOOK_EVERY = 16

export class HeldReplies {
  /** For the one that gives way. */
  readonly reason: string
  readonly #most: number
  readonly #onGivenWay: (subject: string) => void
  readonly #holders = new Map<Duplex, ReplyHolder>()
  #written = 0

  /** `most` bytes of all connections. */
  constructor(most: number, onGivenWay: (subject: string) => void) {
    this.#most = most
    this.reason = `read faster: over ${most} bytes unread in all, and most of them yours`
    this.#onGivenWay = onGivenWay
  }

  /** Counts a connection until it is closed. */
  add(socket: Duplex, subject: string): void {
    this.#holders.set(socket, new ReplyHolder(socket, subject))
    socket.once('close', () => this.#holders.delete(socket))
  }

  of(socket: Duplex): ReplyHolder | undefined {
    return this.#holders.get(socket)
  }

  /** So much was written to it for this caller. */
  sent(socket: Duplex, bytes: number, subject: string | undefined): void {
    if (bytes > SHORT && subject !== undefined) {
      const holder = this.#holders.get(socket)
      if (holder !== undefined) holder.subject = subject
    }
    this.note(bytes)
  }

  /** So much was written, or waits to be. */
  note(bytes: number): void {
    this.#written += bytes
    if (this.#written * LOOK_EVERY < this.#most) return
    this.#written = 0
    this.#look()
  }

  #look(): void {
    const bySubject = new Map<
      string,
      { sum: number; readonly holders: { held: number; readonly one: ReplyHolder }[] }
    >()
    let sum = 0
    for (const one of this.#holders.values()) {
      const { held, subject } = one
      if (held === 0) continue
      sum += held
      const own = bySubject.get(subject) ?? { sum: 0, holders: [] }
      bySubject.set(subject, own)
      own.sum += held
      own.holders.push({ held, one })
    }
    for (const own of bySubject.values()) own.holders.sort((a, b) => a.held - b.held)
    while (sum > this.#most) {
      const [subject, own] = [...bySubject].reduce((most, some) => (some[1].sum > most[1].sum ? some : most))
      const largest = own.holders.pop()
      if (largest === undefined) return
      sum -= largest.held
      own.sum -= largest.held
      largest.one.giveWay()
      this.#onGivenWay(subject)
    }
  }
}
