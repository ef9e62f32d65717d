// The room that knows who calls: API keys, tiers, budgets, client addresses behind proxies.
export type { Access, Budget, Caller, Tier } from './access.ts'
