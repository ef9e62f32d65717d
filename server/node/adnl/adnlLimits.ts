// Bounds and times of connections. Those of the protocol itself are in `adnlFrames.ts`.

/** Of a connection we open. */
export interface ClientLimits {
  /** For the TCP connection. */
  readonly connectMs: number
  /** For each address of a name that has several: a first packet that is lost is sent again after a second. */
  readonly addressMs: number
  /** From then to the server's first frame, which proves that it has the key. */
  readonly helloMs: number
  /** A query without a timeout of its own. */
  readonly queryMs: number
  /** Without a byte for this long: ping. */
  readonly pingAfterMs: number
  /** Without a byte for this long: close. */
  readonly silenceMs: number
  readonly maxInFlight: number
  /** Of queries the server does not read: beyond it, further ones are refused. */
  readonly maxUnsentBytes: number
  /** Frames that answer no query, not even one that was given up: beyond it, the connection is closed. */
  readonly maxUnsolicited: number
}

export const clientLimits: ClientLimits = {
  connectMs: 3_000,
  addressMs: 1_200,
  helloMs: 3_000,
  queryMs: 5_000,
  pingAfterMs: 5_000,
  silenceMs: 15_000,
  maxInFlight: 256,
  maxUnsentBytes: 4 * 2 ** 20,
  maxUnsolicited: 10_000,
}

/** Of connections clients open to our listener. */
export interface ListenerLimits {
  readonly maxConnections: number
  /** From one IPv4 address or IPv6 network of 64 bits. */
  readonly maxPerAddress: number
  readonly helloMs: number
  /** Without a whole frame. npm clients never ping; the public node closes theirs after 60 s. */
  readonly silenceMs: number
  /** Of one connection: beyond it, the socket is not read until an answer is sent. */
  readonly maxInFlight: number
  readonly maxInFlightBytes: number
  /** A frame from a client; the largest query is a message of 64 KiB. */
  readonly maxFrameBytes: number
  /** Of one connection: answers unsent or expected. Beyond it, no further query is read. */
  readonly maxPendingBytes: number
  /** Of one connection: unsent answers. Beyond it, the next answer closes the connection. */
  readonly maxUnsentBytes: number
  /** Of all connections: beyond it, the one with the most is closed. */
  readonly maxTotalUnsentBytes: number
  /** A connection that reads nothing of its answers for this long is closed. */
  readonly stalledMs: number
}

export const listenerLimits: ListenerLimits = {
  maxConnections: 512,
  maxPerAddress: 64,
  helloMs: 10_000,
  silenceMs: 120_000,
  maxInFlight: 256,
  maxInFlightBytes: 2 ** 20,
  maxFrameBytes: 256 * 1024,
  maxPendingBytes: 8 * 2 ** 20,
  maxUnsentBytes: 64 * 2 ** 20,
  maxTotalUnsentBytes: 256 * 2 ** 20,
  stalledMs: 60_000,
}
