// How much memory the process may take, and how it is shared out among the heaps of its threads.

import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/** Megabytes, but for `growthPercent`. */
export interface MemoryPlan {
  /** Of the machine, or what its container leaves of it. */
  readonly total: number
  /** By how much a heap may grow beyond what was found alive in it before it is cleaned up again. */
  readonly growthPercent: number
  readonly databaseHeap: number
  readonly tvmHeap: number
  readonly workerHeap: number
  /** Each half of what a worker process has for what was just made. */
  readonly workerYoungHeap: number
  /** Of each thread, for what was just made. */
  readonly youngHeap: number
}

const MB = 1 << 20
const within = (value: number, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, value)))

/** Of cgroup v1 or v2 where there is a limit, else of the machine. */
export function availableMemory(constrained = process.constrainedMemory(), machine = totalmem()): number {
  // Without a limit it is 0, not known, or larger than any machine.
  return constrained > 0 && constrained < machine ? constrained : machine
}

/** `wantedMb` takes the place of what there is; 0 for that. */
export function planMemory(wantedMb = 0, available = availableMemory()): MemoryPlan {
  const total = wantedMb > 0 ? wantedMb : Math.floor(available / MB)
  return {
    total,
    // V8 allows up to 300, which left 1 GB of garbage uncollected after 15 minutes of ordinary calls.
    growthPercent: within(total / 40, 15, 35),
    databaseHeap: within(total / 16, 96, 256),
    tvmHeap: within(total / 64, 64, 96),
    workerHeap: within(total / 8, 192, 1024),
    // By default it is 16. With 64 callers most of what a page needs was then copied to the old heap before it was sent: cleaning up
    // took half of the processor time.
    workerYoungHeap: within(total / 128, 16, 64),
    youngHeap: within(total / 128, 3, 12),
  }
}

let current: MemoryPlan | null = null

/** The plan in force; by default that of the machine. */
export function memoryPlan(): MemoryPlan {
  current ??= planMemory()
  return current
}

/** Takes effect at once for all heaps, those of threads to come included. Call it before any thread is started. */
export function applyMemoryPlan(wantedMb: number): MemoryPlan {
  current = planMemory(wantedMb)
  setFlagsFromString(`--heap-growing-percent=${current.growthPercent}`)
  return current
}
