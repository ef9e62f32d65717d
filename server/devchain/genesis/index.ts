// The beginning of a chain: both zerostates out of accounts, a configuration and the validators' keys. The same plan
// gives the same bytes. It knows no log and no clock: the caller keeps seed and time.

export { devnetPlan } from './devnetPlan.ts'
export * from './genesis.ts'
export { NODE_BOC, type Zerostate } from './zerostate.ts'
