// ADNL over TCP: how clients and lite servers exchange queries and answers, both sides of it. Bytes in, bytes out: what
// they say is for `tl` and those above.

export { type ConnectOptions, connectAdnl } from './connect.ts'
export type { AdnlConnection } from './connection.ts'
export { AdnlError, type AdnlErrorCode } from './errors.ts'
export { type AdnlListener, createAdnlListener, type ListenerOptions } from './listener.ts'
export type { OnQuery } from './peer.ts'
