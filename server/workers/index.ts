// Processes next to the owner of the chain that answer its callers: how they are started and given connections, and what they
// and the owner say to each other. What they answer is put together in the composition.

export { CacheDrops } from './cacheDrops.ts'
export { connectToOwner, type OwnerLink } from './ownerLink.ts'
export { countedByOwner } from './ownerSeats.ts'
export { answerRead, PassedReads } from './passedRead.ts'
export { listenForRelays, openRelay, type RelayPlace, relayPlace } from './relays.ts'
export { type OwnerSide, Team } from './team.ts'
export type { ChainEvent, ChainSources } from './workerProtocol.ts'
