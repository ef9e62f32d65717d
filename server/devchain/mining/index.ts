// When blocks are made, and of which pending messages. It promises that steps never overlap and that every sender gets the
// outcome of its message. It does not know how a block is made.

export { hasUndelivered } from './hasUndelivered.ts'
export { Miner } from './miner.ts'
export type { MiningMode } from './mode.ts'
export { isDiskFull } from './stepWork.ts'
