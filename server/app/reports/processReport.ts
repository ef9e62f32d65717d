// What an operator sees of the process itself: its version, what it has cached, and calls by plan.

import type { CountedAccess } from '../../access/index.ts'
import type { ResultCache } from '../../methods/index.ts'
import type { Metrics } from '../../observe/index.ts'
import { heapGrowthPercent, liveHeapBytes, memoryPlan } from '../../process/index.ts'
import { programVersion } from '../programVersion.ts'

const MB = 1 << 20

interface ProcessParts {
  readonly cache: Pick<ResultCache, 'stats'>
  readonly access: Pick<CountedAccess, 'plans'>
  readonly network: string
  readonly role: string
}

/** What heaps were sized for, and what is alive in them: an operator compares both with what the process takes. */
function reportMemory(metrics: Pick<Metrics, 'gauge'>): void {
  const { total, databaseHeap, tvmHeap } = memoryPlan()
  const gauge = (name: string, help: string, value: number) => metrics.gauge(`tonrpc_memory_${name}`, help, () => value)
  gauge('planned_bytes', 'Memory heaps are sized for: --memory, else of the container or the machine.', total * MB)
  const growth = 'Growth of a heap after which it is cleaned up.'
  metrics.gauge('tonrpc_memory_heap_growth_ratio', growth, () => heapGrowthPercent() / 100)
  gauge('database_heap_bytes', "Largest heap of the embedded database's thread.", databaseHeap * MB)
  gauge('tvm_heap_bytes', 'Largest heap of each thread of the TVM.', tvmHeap * MB)
  const help = 'Heap of the main thread in use after its last full collection: what grows here is data, not garbage.'
  metrics.gauge('tonrpc_memory_live_heap_bytes', help, liveHeapBytes)
}

/** What each process that answers callers has cached. */
export function reportCache(metrics: Pick<Metrics, 'gauge' | 'total'>, cache: Pick<ResultCache, 'stats'>): void {
  const total = (name: string, help: string, read: () => number) =>
    metrics.total(`tonrpc_cache_${name}_total`, help, read)
  total('hits', 'Calls answered from the cache of replies since the start.', () => cache.stats.hits)
  total('misses', 'Calls not found in it since the start.', () => cache.stats.misses)
  metrics.gauge('tonrpc_cache_bytes', 'Memory of cached replies.', () => cache.stats.bytes)
}

export function reportProcess(metrics: Metrics, { cache, access, network, role }: ProcessParts): void {
  const version = programVersion()
  metrics.gauges('tonrpc_build_info', 'Version of the program; always 1.', 'version', () => [[version, 1]])
  metrics.gauges('tonrpc_network_info', 'Chain that is served; always 1.', 'network', () => [[network, 1]])
  metrics.gauges('tonrpc_role_info', 'What the process does; always 1.', 'role', () => [[role, 1]])
  reportMemory(metrics)
  reportCache(metrics, cache)
  const byPlan = (name: string, help: string, read: (counts: { charged: number; refused: number }) => number) =>
    metrics.sums(`tonrpc_plan_${name}_total`, { help, label: 'plan', isTotal: true }, () =>
      [...access.plans].map((counts) => [counts.plan, read(counts)] as const),
    )
  byPlan('calls', 'Calls within the limits since the start, by plan of the caller.', ({ charged }) => charged)
  byPlan('refused', 'Calls over the limits since the start, by plan of the caller.', ({ refused }) => refused)
}
