// The indexer: what the chain says, turned into rows of the store. `startIndexer` follows the chain and writes the facts of
// each masterchain block once, through whatever happens to the node, to the store and to this process. What the facts are is
// said by the room of facts; here is when they are read, joined and written.

export type { IndexerOptions } from './indexerOptions.ts'
export type { IndexerStatus } from './indexerStatus.ts'
export { type IndexHead, IndexHeads, type IndexView } from './indexHead.ts'
export { type Indexer, startIndexer } from './startIndexer.ts'
