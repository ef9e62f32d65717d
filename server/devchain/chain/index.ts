// The chain itself: opened from its journal or from genesis, advanced step by step, reverted, read. A step is durable before
// it is visible; a state is returned only after its hash was checked against the block. It knows neither when to make a
// block nor who sends messages.

export { GrowingChain as Chain } from './chain.ts'
export { ChangeQueue as Turns } from './changeQueue.ts'
export { ChainClock } from './clock.ts'
export { DamageReport } from './damage.ts'
export type { HeadEvent, HeadListener } from './events.ts'
export { type ChainDisk, ChainPast as Past, openChain } from './openChain.ts'
export { type ChainReader, createReader } from './reader.ts'
export { NOTHING_TO_DO, workFor } from './step.ts'
