// A chain that begins with the accounts of a network: the block it was forked at, the network as it was then, and what of it is in
// the chain by now. It promises that no message is delivered to an account that may be in the network and could not be read.

export { type Beginning, beginFork, type ForkOptions } from './beginning.ts'
export type { ForkedAccounts } from './forkedAccounts.ts'
export { ForkRefused, type ForkStart } from './forkPoint.ts'
export { Imports } from './imports.ts'
