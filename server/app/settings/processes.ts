// How many processes a service has, and the part each has of what is bounded for all.

import { availableParallelism } from 'node:os'
import type { Config } from './settings.ts'

/** Beyond that a database on the same machine has too little left. */
const MOST_AUTO = 4

/** How many processes answer callers. */
export function processesOf({ workers, database, role }: Pick<Config, 'workers' | 'database' | 'role'>): number {
  if (role === 'index') return 1
  if (workers !== 'auto') return Number(workers)
  return database === 'pglite' ? 1 : Math.min(MOST_AUTO, availableParallelism())
}

/** The settings of one of so many processes: what is bounded for all is shared out. */
export function shareOf(config: Config, count: number): Config {
  const part = (whole: number): number => Math.max(1, Math.floor(whole / count))
  const { memoryMb, databaseConnections } = config
  return { ...config, memoryMb: part(memoryMb), databaseConnections: part(databaseConnections) }
}
