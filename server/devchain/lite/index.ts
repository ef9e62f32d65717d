// The embedded chain's lite server: every verb of `LiteServer`, answered from the chain in this process, with the proofs a
// light client checks. It promises that what it proves is what the blocks say, and that an answer as of a block never
// changes while the block stands. It only reads the chain, but for the messages it hands on.

export { createDevchainLiteServer, type DevchainLiteServer } from './createDevchainLiteServer.ts'
export { createEmbeddedChain } from './embeddedChain.ts'
