// The chain itself: opened from its journal or from genesis, advanced step by step, reverted, read. A step is durable before
// it is visible, but for those of a story (`deferDisk`); a state is returned only after its hash was checked against the
// block. It knows neither when to make a block nor who sends messages.

export { ChainClock } from './chainClock.ts'
export { type ChainReader, createHistoryReader, createReader } from './chainReader.ts'
export { ChangeQueue, chainClosing } from './changeQueue.ts'
export { DamageReport } from './damage.ts'
export { GrowingChain } from './growingChain.ts'
export type { HeadEvent, HeadListener } from './headListeners.ts'
export { NOTHING_TO_DO, type StepWork, workFor } from './makeStep.ts'
export { type ChainDisk, ChainPast, openChain } from './openChain.ts'
