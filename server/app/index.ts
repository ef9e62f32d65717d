// The service, put together from the rooms: the chain, its index, the methods and HTTP, started and stopped in order by
// the settings. A command needs nothing else of the server; no room imports it.

export { backUpData } from './data/dataBackup.ts'
export { migrateDatabase, migrationPlan } from './data/migration.ts'
export { type MoveHow, moveEmbeddedIndex } from './data/moveEmbeddedIndex.ts'
export { indexPlace } from './database/indexService.ts'
export { stopOnSignal } from './lifetime.ts'
export { type ListedServers, listServers } from './network/liteServers.ts'
export { trustFileOf } from './network/openNetwork.ts'
export { MOST_AHEAD_S } from './network/remoteReadiness.ts'
export { startOfTrust } from './network/startOfTrust.ts'
export type { StartTrouble } from './reports/readiness.ts'
export type { Service, ServiceParts } from './serving/serviceParts.ts'
export { withSecrets } from './settings/secretFiles.ts'
export { type Config, Settings } from './settings/settings.ts'
export { StartRefused } from './startRefused.ts'
export { startService } from './startService.ts'
