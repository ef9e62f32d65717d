// Connections to hosts that strangers choose. The room promises that a host is contacted only at addresses that were checked,
// and that those are public unless the caller's rules allow others.

export { costWatch } from './answerCost.ts'
export { answerTo } from './answerTo.ts'
export { addressesOf, type HostAddress, type HostRules, pinned } from './hostAddresses.ts'
export { HostError, isFromOutside } from './hostError.ts'
export { isOwnNetwork, isPublicAddress } from './publicAddress.ts'
