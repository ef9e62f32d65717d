// When blocks are made, and of which of the waiting messages. It promises that one step follows the other and that every
// sender hears what came of their message. It does not know how a block is made.

export { hasUndelivered, Miner } from './miner.ts'
export type { MiningMode } from './mode.ts'
