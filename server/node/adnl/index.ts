// ADNL over TCP, both sides: how clients and lite servers exchange queries and answers. Bytes in, bytes out: their meaning
// is defined in `tl` and above.

export { type ConnectOptions, connectAdnl } from './connect.ts'
export type { AdnlConnection } from './connection.ts'
export { AdnlError, type AdnlErrorCode } from './errors.ts'
export { type AdnlListener, createAdnlListener, type ListenerOptions } from './listener.ts'
export type { OnQuery } from './peer.ts'
