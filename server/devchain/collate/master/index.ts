// What only the masterchain does: it registers the shard, collects libraries, takes over a changed configuration, rotates
// validators and keeps the list of blocks. It executes nothing.

export { endMaster, type MasterEnding } from './masterEnding.ts'
export { masterValidators, shardValidators } from './rotation.ts'
export { type Registration, registeredShard, registerShard } from './shardRegistry.ts'
export { type LibraryDict, updatingLibraries } from './updatingLibraries.ts'
export { isReadableParam } from './usableConfig.ts'
