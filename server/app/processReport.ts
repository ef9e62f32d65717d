// What an operator sees of the process itself: its version, what it has cached, and calls by plan.

import type { CountedAccess } from '../access/index.ts'
import type { ResultCache } from '../methods/index.ts'
import type { Metrics } from '../observe/index.ts'
import { reportMemory } from './memoryReport.ts'
import { programVersion } from './programVersion.ts'

interface ProcessParts {
  readonly cache: Pick<ResultCache, 'stats'>
  readonly access: Pick<CountedAccess, 'plans'>
  readonly network: string
  readonly role: string
}

export function reportProcess(metrics: Metrics, { cache, access, network, role }: ProcessParts): void {
  const version = programVersion()
  metrics.gauges('tonrpc_build_info', 'Version of the program; always 1.', 'version', () => [[version, 1]])
  metrics.gauges('tonrpc_network_info', 'Chain that is served; always 1.', 'network', () => [[network, 1]])
  metrics.gauges('tonrpc_role_info', 'What the process does; always 1.', 'role', () => [[role, 1]])
  reportMemory(metrics)
  const ofCache = (name: string, help: string, read: () => number) => metrics.gauge(`tonrpc_cache_${name}`, help, read)
  ofCache('hits', 'Calls answered from the cache of replies since the start.', () => cache.stats.hits)
  ofCache('misses', 'Calls not found in it since the start.', () => cache.stats.misses)
  ofCache('bytes', 'Memory of cached replies.', () => cache.stats.bytes)
  const byPlan = (name: string, help: string, read: (counts: { charged: number; refused: number }) => number) =>
    metrics.gauges(`tonrpc_plan_${name}`, help, 'plan', () =>
      [...access.plans].map((counts) => [counts.plan, read(counts)] as const),
    )
  byPlan('calls', 'Calls within the limits since the start, by plan of the caller.', ({ charged }) => charged)
  byPlan('refused', 'Calls over the limits since the start, by plan of the caller.', ({ refused }) => refused)
}
