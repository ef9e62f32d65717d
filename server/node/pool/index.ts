// Many lite servers as one `LiteServer`: which of them is asked, what happens when it does not answer, and which of them is
// not to be believed.

export type { ChainSlice, Connect, LiteConnection, ServerAddress } from './serverAddress.ts'
export { createServerPool, type ServerPool, type ServerPoolOptions } from './serverPool.ts'
