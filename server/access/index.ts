// The room that knows who calls: API keys, tiers, budgets, client addresses behind proxies.
//
// Promises: a key is kept as a hash and shown once; a revocation takes effect within two seconds, also when another
// process made it; a budget is charged in constant time and bounded memory for every caller; a damaged key file is
// reported and not overwritten. Does not know: HTTP, which field of a request holds the key, what a call costs.
export type { Access, BudgetState, Caller, Plan, Tier } from './access.ts'
export { hashKey, makeKey, withoutKeys } from './apiKeys.ts'
export {
  type AddressRanges,
  clientAddress,
  createAddressRanges,
  ipv6Groups,
  isLoopback,
  subjectOf,
} from './clientAddress.ts'
export { type CountedAccess, createAccess, limitsLocalCallers } from './createAccess.ts'
export { createFileKeyStore, KEY_FILE, moveKeyFile } from './fileKeyStore.ts'
export { createFileUsageStore, moveUsageFile } from './fileUsageStore.ts'
export { rateHeaders } from './headers.ts'
export { type IssuedKey, type KeyOrder, type KeyRecord, type KeyRights, keyState } from './keyRecord.ts'
export type { KeyStore } from './keyStore.ts'
export { KeyStoreError, type KeyStoreReason } from './keyStoreError.ts'
export { builtInPlans, type PlanStore } from './planStore.ts'
export {
  BUILT_IN,
  CUSTOM,
  connectionsOf,
  MAX_PER_SECOND,
  PLAN_BOUNDS,
  PLAN_NAME,
  PLAN_NAME_WORDS,
  type PlanChanges,
  planNamed,
  rateOf,
  streamLimitsOf,
} from './plans.ts'
export { dayOf, monthOf, Quotas } from './quotas.ts'
export { createRedisLedger } from './redisBudgets.ts'
export { createRemoteAccess } from './remoteAccess.ts'
export { createSqlKeyStore, type KeyImport } from './sqlKeyStore.ts'
export { createSqlPlanStore } from './sqlPlanStore.ts'
export { createSqlUsageStore } from './sqlUsageStore.ts'
export { type MeteredUsage, UsageMeter, UsageWriter } from './usageMeter.ts'
export type { CountedUsage, UsageRange, UsageStore } from './usageStore.ts'
