// What heaps were sized for, and what is alive in them, for an operator who compares both with what the process takes.

import type { Metrics } from '../observe/index.ts'
import { liveHeapBytes, memoryPlan } from '../process/index.ts'

const MB = 1 << 20

export function reportMemory(metrics: Pick<Metrics, 'gauge'>): void {
  const { total, growthPercent, databaseHeap, tvmHeap } = memoryPlan()
  const gauge = (name: string, help: string, value: number) => metrics.gauge(`tonrpc_memory_${name}`, help, () => value)
  gauge('planned_bytes', 'Memory heaps are sized for: --memory, else of the container or the machine.', total * MB)
  gauge('heap_growth_ratio', 'Growth of a heap after which it is cleaned up.', growthPercent / 100)
  gauge('database_heap_bytes', "Largest heap of the embedded database's thread.", databaseHeap * MB)
  gauge('tvm_heap_bytes', 'Largest heap of each thread of the TVM.', tvmHeap * MB)
  const help = 'Heap of the main thread in use after its last full collection: what grows here is data, not garbage.'
  metrics.gauge('tonrpc_memory_live_heap_bytes', help, liveHeapBytes)
}
