// The room of fair shares: concurrent requests of many callers are served by what each has used, never first come first
// served. A caller is known by its subject alone: the id of a key, or an address, however many connections it has.
//
// Promises: however much one caller requests, another one waits for one piece of work of each caller before it, and work
// yields to the event loop after a slice of time. Knows no transport, no method and no resource.

export { byNetworks, crowdsBeyond } from './crowds.ts'
export { FairQueue, ownerOfSignal, ownSignal, PassingMap } from './fairQueue.ts'
export { fewAtOnce } from './fewAtOnce.ts'
export { goingThrough } from './goingThrough.ts'
export { inPieces, inSlices, lightInSlices, SlicedWork, type Slicing } from './inSlices.ts'
export { type LaneLimits, LaneQueueFull, Lanes } from './lanes.ts'
export { oneAtATime } from './oneAtATime.ts'
export { oneFlight } from './oneFlight.ts'
export { parseInSlices } from './parseInSlices.ts'
export { giveWay, pressing } from './pressing.ts'
export { sorting } from './sorting.ts'
export { atNextTurn, noteArrival, SLICE_MS, Turns, turnBegan } from './turns.ts'
export { noteWait, waitOfSignal } from './waits.ts'
