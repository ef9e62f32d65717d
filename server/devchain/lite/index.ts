// The embedded chain's lite server: every verb of `LiteServer`, answered from the chain in this process, with the proofs a
// light client checks. It promises that its proofs match the blocks, and that an answer as of a block does not
// change while the block is part of the chain. Except for sending messages it only reads.

export { createDevchainLiteServer, type DevchainLiteServer } from './createDevchainLiteServer.ts'
export { createEmbeddedChain } from './embeddedChain.ts'
