// How many processes a service has, and the part each has of what is bounded for all.

import { availableProcessors, planMemory } from '../../process/index.ts'
import type { Config } from './settings.ts'

/** Beyond that a database on the same machine has too little left. */
const MOST_AUTO = 4
/** A process takes 170 MB soon after its start, with callers, and the first one 280. */
const PROCESS_MB = 256

/** With so many processors and megabytes. */
export const autoProcesses = (processors: number, memory: number): number =>
  Math.max(1, Math.min(MOST_AUTO, processors, Math.floor(memory / PROCESS_MB)))

type ProcessSettings = Pick<Config, 'workers' | 'database' | 'role' | 'memory'>

/** How many processes answer callers. */
export function processesOf({ workers, database, role, memory }: ProcessSettings): number {
  if (role === 'index') return 1
  if (workers !== 'auto') return Number(workers)
  return database === 'pglite' ? 1 : autoProcesses(availableProcessors(), planMemory(memory).total)
}

/** The settings of one of so many processes: what is bounded for all is shared out. */
export function shareOf(config: Config, count: number): Config {
  const part = (whole: number): number => Math.max(1, Math.floor(whole / count))
  const { memoryMb, databaseConnections } = config
  return { ...config, memoryMb: part(memoryMb), databaseConnections: part(databaseConnections) }
}
