// Peers that are gone without a sign. The system tries for a quarter of an hour to deliver to a network that takes nothing any
// more; a reader that has stopped takes nothing either. Both are noticed by what they leave unacknowledged.

import type { Socket } from 'node:net'
import { connectionName, readSendQueues, type SendQueues } from './sendQueues.ts'

/** Looks without anything acknowledged, after which a peer may lose its place to another connection. */
export const SILENT_MISSES = 2
/** Looks after which its connection is closed: a minute by default, which a phone may spend in a tunnel. */
export const GONE_MISSES = 4

/** Called after each look, with the number of looks in a row in which bytes were in flight and none were acknowledged. */
type OnLook = (misses: number) => void

class Peer {
  readonly #socket: Socket
  readonly #onLook: OnLook
  /** Kept: a closed socket no longer knows its ends. */
  readonly #name: string | null
  #handedOver = 0
  #acknowledged = 0
  #misses = 0

  constructor(socket: Socket, onLook: OnLook) {
    this.#socket = socket
    this.#onLook = onLook
    this.#name = connectionName(socket)
  }

  /** Before the queues are read: what is written meanwhile must not pass for acknowledged. */
  prepare(): void {
    this.#handedOver = this.#socket.bytesWritten - this.#socket.writableLength
  }

  look(queues: SendQueues): void {
    const held = this.#name === null ? 0 : (queues.get(this.#name) ?? 0)
    const acknowledged = this.#handedOver - held
    const isWaiting = held > 0 || this.#socket.writableLength > 0
    this.#misses = isWaiting && acknowledged <= this.#acknowledged ? this.#misses + 1 : 0
    this.#acknowledged = acknowledged
    this.#onLook(this.#misses)
  }
}

export class PeerWatch {
  readonly #everyMs: number
  readonly #peers = new Set<Peer>()
  #timer: NodeJS.Timeout | null = null
  #isLooking = false

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** Watches a connection until the returned function is called. */
  add(socket: Socket, onLook: OnLook): () => void {
    const peer = new Peer(socket, onLook)
    this.#peers.add(peer)
    this.#timer ??= setInterval(() => void this.#look(), this.#everyMs).unref()
    return () => this.#remove(peer)
  }

  #remove(peer: Peer): void {
    this.#peers.delete(peer)
    if (this.#peers.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const peers = [...this.#peers]
    for (const peer of peers) peer.prepare()
    const queues = await readSendQueues()
    for (const peer of peers) if (this.#peers.has(peer)) peer.look(queues)
    this.#isLooking = false
  }
}
