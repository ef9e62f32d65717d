// Accepts connections and passes their queries on. Nothing a client sends, or does not read, may stop the process or take
// more memory than the limits allow.

import { createServer, type Server, type Socket } from 'node:net'
import { noteArrival, Turns } from '../../fairness/index.ts'
import { type Clock, systemClock } from '../systemClock.ts'
import { Identity } from './adnlIdentity.ts'
import { type ListenerLimits, listenerLimits } from './adnlLimits.ts'
import { networkOf, wideNetworkOf } from './networkOf.ts'
import { Peer } from './peer.ts'
import type { OnQuery, PeerEnd } from './peerParts.ts'
import { whoLeaves } from './whoLeaves.ts'

export interface ListenerOptions {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** 32 bytes the server's key is made of. */
  readonly seed: Uint8Array
  /**
   * Must settle, also when its peer is gone: until then the query counts as in flight. Rejections are answered with code
   * -503 "internal error".
   */
  readonly onQuery: OnQuery
  /** What `onQuery` rejected with. */
  readonly onError?: (error: unknown) => void
  readonly limits?: Partial<ListenerLimits>
  readonly clock?: Clock
}

export interface ListenerStats {
  readonly connections: number
  readonly accepted: number
  /** Too many connections in total or of one address. */
  readonly refused: number
  readonly queries: number
  readonly answers: number
  readonly inFlight: number
  readonly unsentBytes: number
  /** Connections that ended, by reason. */
  readonly ended: Readonly<Record<PeerEnd, number>>
}

export interface AdnlListener {
  readonly port: number
  /** Ed25519, 32 bytes: what clients must know. */
  readonly key: Uint8Array
  /** Stops accepting and ends all connections. */
  close(): Promise<void>
  stats(): ListenerStats
}

/** Closed connections with queries in flight hold at most one more place in so many; above that, new connections are refused. */
const ONE_PAST_IN = 4
/** Between two checks for silent connections. */
const CHECK_MS = 1000

class Listener implements AdnlListener {
  readonly #options: ListenerOptions
  readonly #identity: Identity
  readonly #limits: ListenerLimits
  readonly #clock: Clock
  readonly #server: Server
  readonly #turns = new Turns()
  readonly #peers = new Set<Peer>()
  /** Open connections, and closed ones with queries in flight: reconnecting must not allow more of them. */
  readonly #perNetwork = new Map<string, number>()
  #slots = 0
  readonly #ended: Record<PeerEnd, number> = {
    theirs: 0,
    hello: 0,
    protocol: 0,
    silence: 0,
    unread: 0,
    crowded: 0,
    closing: 0,
  }
  #stopChecks: () => void = () => {}
  #isClosing = false
  #accepted = 0
  #refused = 0
  /** Of closed connections. */
  #past = { queries: 0, answers: 0 }

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#identity = Identity.fromSeed(options.seed)
    this.#limits = { ...listenerLimits, ...options.limits }
    this.#clock = options.clock ?? systemClock
    this.#server = createServer({ noDelay: true }, (socket) => {
      noteArrival()
      this.#accept(socket)
    })
  }

  get key(): Uint8Array {
    return this.#identity.key
  }

  get port(): number {
    const address = this.#server.address()
    return address !== null && typeof address === 'object' ? address.port : 0
  }

  listen(): Promise<void> {
    const { host, port } = this.#options
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        // Later errors concern single connections, as when no file descriptor is left.
        this.#server.on('error', (error) => this.#options.onError?.(error))
        this.#scheduleChecks()
        resolve()
      })
    })
  }

  async close(): Promise<void> {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#stopChecks()
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const peer of [...this.#peers]) peer.end('closing')
    await closed
  }

  stats(): ListenerStats {
    let { queries, answers } = this.#past
    let inFlight = 0
    for (const peer of this.#peers) {
      queries += peer.queries
      answers += peer.answers
      inFlight += peer.inFlight
    }
    return {
      connections: this.#peers.size,
      accepted: this.#accepted,
      refused: this.#refused,
      queries,
      answers,
      inFlight,
      unsentBytes: this.#unsent(),
      ended: { ...this.#ended },
    }
  }

  #accept(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address)
    const sameNetwork = this.#perNetwork.get(network) ?? 0
    const { maxConnections, maxPerAddress } = this.#limits
    const isClosed = this.#isClosing || sameNetwork >= maxPerAddress
    if (isClosed || (this.#slots >= maxConnections && (this.#isStillBusy || !this.#makeRoom(address)))) {
      this.#refused++
      socket.on('error', () => undefined)
      socket.destroy()
      return
    }
    this.#perNetwork.set(network, sameNetwork + 1)
    this.#slots++
    // While no connection has more unsent than this, the total is within its limit.
    const share = this.#limits.maxTotalUnsentBytes / maxConnections
    const peer: Peer = new Peer(socket, {
      number: ++this.#accepted,
      address,
      identity: this.#identity,
      limits: this.#limits,
      clock: this.#clock,
      turns: this.#turns,
      onQuery: this.#options.onQuery,
      onError: (error) => this.#options.onError?.(error),
      onUnsent: ({ unsent }) => {
        if (unsent > share) this.#shed()
      },
      onEnd: (reason) => this.#forget(peer, reason),
      onGone: () => this.#free(network),
    })
    this.#peers.add(peer)
  }

  /** Their queries were cancelled, and most end at once; what does not is work of this process all the same. */
  get #isStillBusy(): boolean {
    return (this.#slots - this.#peers.size) * ONE_PAST_IN >= this.#limits.maxConnections
  }

  #makeRoom(newcomer: string): boolean {
    const peer = whoLeaves(wideNetworkOf(newcomer), [...this.#peers], this.#clock.now())
    peer?.end('crowded')
    return peer !== undefined
  }

  #forget(peer: Peer, reason: PeerEnd): void {
    this.#peers.delete(peer)
    this.#ended[reason]++
    this.#past.queries += peer.queries
    this.#past.answers += peer.answers
  }

  #free(network: string): void {
    this.#slots--
    const left = (this.#perNetwork.get(network) ?? 1) - 1
    if (left > 0) this.#perNetwork.set(network, left)
    else this.#perNetwork.delete(network)
  }

  #unsent(): number {
    let sum = 0
    for (const { unsent } of this.#peers) sum += unsent
    return sum
  }

  /** Ends the connection with the most unsent bytes when the total exceeds its limit. */
  #shed(): void {
    let sum = 0
    let most: Peer | null = null
    for (const peer of this.#peers) {
      const { unsent } = peer
      sum += unsent
      if (most === null || unsent > most.unsent) most = peer
    }
    if (sum > this.#limits.maxTotalUnsentBytes) most?.end('unread')
  }

  #scheduleChecks(): void {
    this.#stopChecks = this.#clock.after(CHECK_MS, () => {
      const now = this.#clock.now()
      for (const peer of [...this.#peers]) peer.check(now)
      this.#scheduleChecks()
    })
  }
}

/** Rejects when the address cannot be listened on. */
export async function createAdnlListener(options: ListenerOptions): Promise<AdnlListener> {
  const listener = new Listener(options)
  await listener.listen()
  return listener
}
