// How many threads and processes are worth starting with the processors and the memory this process may use.

import { availableParallelism } from 'node:os'
import { groupLimits } from './controlGroups.ts'
import { memoryPlan } from './memory.ts'

/** Whole ones, at least one: more threads than the quota has all wait until its next period. */
export function availableProcessors(quota = groupLimits().processors, machine = availableParallelism()): number {
  return Math.max(1, Math.min(machine, Math.floor(quota)))
}

/** Idle, a thread with its emulator takes 20 MB; its heap may grow to 64 or more, and the emulator to as much. */
const THREAD_MB = 128

/** Threads for contracts: a processor is left for the event loop, and with two of them a slow run is in no other's way. */
export function contractThreads(processors = availableProcessors(), memoryMb = memoryPlan().total): number {
  return Math.max(2, Math.min(processors - 1, Math.floor(memoryMb / THREAD_MB)))
}
