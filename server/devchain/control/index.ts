// Controls of the embedded chain that no real chain has: pay from the faucet, move the clock, revert, change accounts,
// choose when blocks are made. It promises that a call answers in bounded time, whatever contracts do, and that a refused
// call changes nothing. It knows nothing of the wire.

export { type Control, createControl, whenReady } from './control.ts'
export { checkAmount } from './controlParts.ts'
export type { CausedTrace } from './followTrace.ts'
