// Many lite servers as one `LiteServer`: chooses a server per call, retries on others, and drops servers that lie.

export { DEADLINE_MS } from './attempts.ts'
export { OLD_BLOCKS } from './blockCall.ts'
export { verdictOn } from './retrying.ts'
export type { ChainSlice, Connect, LiteConnection, ServerAddress } from './serverAddress.ts'
export { createServerPool, type ServerPool, type ServerPoolOptions } from './serverPool.ts'
export { OTHER_NETWORK } from './serverReport.ts'
export { readingVerbs } from './verbs.ts'
