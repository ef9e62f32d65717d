// The room of fair shares: what many callers want at once is given to them in turn, one each, never first come first
// served. A caller is known by its subject alone: the id of a key, or an address.
//
// Promises: however much one caller wants, another one waits for one piece of work of each caller before it, and the
// event loop is given up after a slice of time. Knows no transport, no method and no resource.

export { FairQueue } from './fairQueue.ts'
export { inSlices } from './inSlices.ts'
export { type LaneLimits, LaneQueueFull, Lanes } from './lanes.ts'
export { Turns } from './turns.ts'
