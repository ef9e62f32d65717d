// What a developer may do to the embedded chain and to no real one: pay, move the clock, go back, change accounts,
// choose when blocks are made. It promises that a call answers in bounded time, whatever contracts go on doing, and that what
// it refuses changes nothing. It knows nothing of the wire.

export { type Control, createControl, untilOver } from './control.ts'
export { checkAmount } from './parts.ts'
export type { Caused } from './trace.ts'
