// Bounds and times of connections. Those of the protocol itself are in `frames.ts`.

/** Of a connection we open. */
export interface ClientLimits {
  /** For the TCP connection. */
  readonly connectMs: number
  /** From there to the server's first frame, which shows that it has the key. */
  readonly helloMs: number
  /** A query without a timeout of its own. */
  readonly queryMs: number
  /** Without a frame for so long: ping. */
  readonly pingAfterMs: number
  /** Without a frame for so long: the connection is lost. */
  readonly silenceMs: number
  readonly mostInFlight: number
  /** Queries the server does not take off the wire: then further ones are refused. */
  readonly mostUnsentBytes: number
  /** Frames that answer nothing: then the connection is closed. */
  readonly mostUnasked: number
}

export const clientLimits: ClientLimits = {
  connectMs: 3_000,
  helloMs: 3_000,
  queryMs: 5_000,
  pingAfterMs: 5_000,
  silenceMs: 15_000,
  mostInFlight: 256,
  mostUnsentBytes: 4 * 2 ** 20,
  // Late answers of queries that were given up count too.
  mostUnasked: 10_000,
}

/** Of the connections strangers open. */
export interface ListenerLimits {
  readonly mostConnections: number
  /** From one IPv4 address or IPv6 network of 64 bits. */
  readonly mostPerAddress: number
  readonly helloMs: number
  /** npm clients never ping; the public node closes theirs after 60 s. */
  readonly silenceMs: number
  /** Of one connection: beyond it the socket is not read until an answer is out. */
  readonly mostInFlight: number
  readonly mostInFlightBytes: number
  /** A frame from a client; the largest query is a message of 64 KiB. */
  readonly mostFrameBytes: number
  /** Of one connection: answers on their way, made or expected. Beyond it, no further query is taken. */
  readonly mostPendingBytes: number
  /** Of one connection: answers it does not read. Beyond it, the next answer closes it. */
  readonly mostUnsentBytes: number
  /** Of all connections: beyond it the one that holds most is closed. */
  readonly mostUnsentTotalBytes: number
  /** A connection that reads nothing of what is there for it is closed. */
  readonly stalledMs: number
}

export const listenerLimits: ListenerLimits = {
  mostConnections: 512,
  mostPerAddress: 64,
  helloMs: 10_000,
  silenceMs: 120_000,
  mostInFlight: 256,
  mostInFlightBytes: 2 ** 20,
  mostFrameBytes: 256 * 1024,
  mostPendingBytes: 8 * 2 ** 20,
  mostUnsentBytes: 64 * 2 ** 20,
  mostUnsentTotalBytes: 256 * 2 ** 20,
  stalledMs: 60_000,
}

/** Time and what is done later; tests bring their own. */
export interface Clock {
  /** Milliseconds from any point. */
  now(): number
  /** Returns what calls it off. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    let turn: NodeJS.Immediate | undefined
    // A turn later: a process that was busy for long first reads what has come, before it takes anybody for silent.
    const timer = setTimeout(() => {
      turn = setImmediate(run)
    }, ms)
    return () => {
      clearTimeout(timer)
      clearImmediate(turn)
    }
  },
}
