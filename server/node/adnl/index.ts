// ADNL over TCP, both sides: how clients and lite servers exchange queries and answers. Bytes in, bytes out: their meaning
// is defined in `tl` and above.

export { AdnlError, type AdnlErrorCode } from './adnlError.ts'
export { type AdnlListener, createAdnlListener, type ListenerOptions } from './adnlListener.ts'
export { type ConnectOptions, connectAdnl } from './connect.ts'
export type { AdnlConnection, AdnlQueryOptions } from './connection.ts'
export type { OnQuery } from './peerParts.ts'
