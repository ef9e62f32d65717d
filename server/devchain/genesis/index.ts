// The beginning of a chain: both zerostates out of accounts, a configuration and the validator's key. The same plan gives
// the same bytes. It knows no log and no clock; whoever calls it keeps seed and time.

export { devnetPlan } from './devnetPlan.ts'
export * from './genesis.ts'
export { NODE_BOC, type Zerostate } from './zerostate.ts'
