// Replies that callers have not read yet, counted over all connections. Each connection has its own bound, but a thousand
// connections below it used up all memory. Above the common bound the caller with the most unread bytes loses connections.
// Other callers do not wait.

import type { Duplex } from 'node:stream'

/** A connection whose replies may be left unread. */
export class ReplyHolder {
  readonly #socket: Duplex
  /** The caller: connections of one caller count together. */
  subject: string
  /** Bytes or characters of replies that wait outside of the socket's own buffer. */
  waiting: () => number = () => 0
  /** Closes the connection with a reason, by default that of these replies; called again while its close takes too long. */
  giveWay: (why?: string) => void

  constructor(socket: Duplex, subject: string) {
    this.#socket = socket
    this.subject = subject
    this.giveWay = () => void socket.destroy()
  }

  get held(): number {
    return this.#socket.writableLength + this.waiting()
  }
}

/** Replies up to so many bytes do not change the caller of a connection. */
const SHORT = 16 * 1024

/** The sum is checked each time a sixteenth of the bound was written. */
const LOOK_EVERY = 16

export class HeldReplies {
  /** Sent to the caller whose connection is closed. */
  readonly reason: string
  readonly #most: number
  readonly #onGivenWay: (subject: string) => void
  readonly #holders = new Map<Duplex, ReplyHolder>()
  #written = 0

  /** `most` is the bound in bytes for all connections. */
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

  /** Counts bytes that were written to a connection for a caller. */
  sent(socket: Duplex, bytes: number, subject: string | undefined): void {
    if (bytes > SHORT && subject !== undefined) {
      const holder = this.#holders.get(socket)
      if (holder !== undefined) holder.subject = subject
    }
    this.note(bytes)
  }

  /** Counts bytes that were written, or wait to be. */
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
