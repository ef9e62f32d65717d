// ADNL over TCP: how clients and lite servers exchange queries and answers, both sides of it. Bytes in, bytes out: what
// they say is for `tl` and those above.

export { type ConnectOptions, connectAdnl } from './connect.ts'
export type { AdnlConnection, ConnectionStats, QueryOptions } from './connection.ts'
export { AdnlError, type AdnlErrorCode } from './errors.ts'
export { type AdnlListener, createAdnlListener, type ListenerOptions, type ListenerStats } from './listener.ts'
export { type ClientLimits, clientLimits, type ListenerLimits, listenerLimits } from './options.ts'
export type { AdnlPeer, OnQuery, PeerEnd } from './peer.ts'
