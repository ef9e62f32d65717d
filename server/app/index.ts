// The service, put together from the rooms: the chain, its index, the methods and HTTP, started and stopped in order by
// the settings. A command needs nothing else of the server; no room imports it.

export { backUpData } from './dataBackup.ts'
export { indexPlace } from './indexService.ts'
export { stopOnSignal } from './lifetime.ts'
export { type ListedServers, listServers } from './liteServers.ts'
export { migrateDatabase, migrationPlan } from './migration.ts'
export { type MoveHow, moveEmbeddedIndex } from './moveEmbeddedIndex.ts'
export { trustFileOf } from './openNetwork.ts'
export type { StartTrouble } from './readiness.ts'
export { withSecrets } from './secretFiles.ts'
export type { Service, ServiceParts } from './serviceParts.ts'
export { type Config, Settings } from './settings.ts'
export { startOfTrust } from './startOfTrust.ts'
export { StartRefused } from './startRefused.ts'
export { startService } from './startService.ts'
