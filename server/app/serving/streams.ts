// Streams over the index of the service and what is sent through it.

import { ApiError } from '../../../shared/errors.ts'
import { RunSettings } from '../../contracts/index.ts'
import { createLiveBooks, LiveTraces, reachIndex, type SentMessages, standsIn } from '../../methods/index.ts'
import type { Log, Metrics } from '../../observe/index.ts'
import { timeLimit } from '../../process/index.ts'
import { type HubLimits, type StreamHealth, Streaming } from '../../streaming/index.ts'
import type { ChainService } from '../chain/chainService.ts'
import type { IndexService } from '../database/indexService.ts'
import { startTroubleOf } from '../reports/readiness.ts'

export interface StreamsParts {
  readonly side: ChainService
  readonly index: IndexService
  readonly sent: SentMessages
  /** Friendly addresses are marked for test networks. */
  readonly testOnly: boolean
  readonly log: Log
  readonly metrics: Metrics
  readonly limits?: Partial<HubLimits>
  readonly followMs?: number | undefined
}

export function openStreams(parts: StreamsParts): Streaming {
  const { side, index, sent, testOnly, log, metrics, limits = {}, followMs = REACH_MS } = parts
  const { chain, pool, pending } = side
  const { store, feed } = index
  return new Streaming({
    feed,
    store,
    sent,
    pending,
    waits: chain.waits,
    log,
    metrics,
    limits,
    traces: new LiveTraces({ chain, pool, store, settings: new RunSettings(chain) }),
    books: createLiveBooks({ store, testOnly }),
    reach: (mcSeqno) => reach(side, index, { mcSeqno, timeoutMs: followMs }),
    health: () => healthOf(side, index),
  })
}

/** How long the index may take to read again what it has lost. */
const REACH_MS = 10_000
/** A server of a network may be behind the one of the query before; the embedded chain has a single head. */
const BEHIND_BLOCKS = 64

async function reach(
  { chain, controlled }: ChainService,
  { view }: IndexService,
  { mcSeqno, timeoutMs }: { readonly mcSeqno: number; readonly timeoutMs: number },
): Promise<boolean> {
  const stands = standsIn(chain)
  if (stands === undefined && (view.indexed()?.seqno ?? -1) >= mcSeqno) return true
  const signal = timeLimit(timeoutMs)
  const head = await chain.head({ signal }).catch(() => null)
  if (head !== null && mcSeqno > head.id.seqno + (controlled === null ? BEHIND_BLOCKS : 0)) return false
  if (await reachIndex({ index: view, stands }, mcSeqno, { signal, timeoutMs })) return true
  const at = view.indexed()?.seqno ?? 0
  throw new ApiError('indexBehind', `index is behind: at ${at}`, { seqno: at, retryAfter: 1 })
}

async function healthOf(side: ChainService, index: IndexService): Promise<StreamHealth> {
  const trouble = await startTroubleOf({ chain: side, index })
  const component = (error: string | null) => ({ ok: error === null, ...(error === null ? {} : { error }) })
  const now = Math.floor(Date.now() / 1000)
  const head = index.view.indexed()
  const ahead = Math.round(side.clockAheadS?.() ?? 0)
  const age =
    head === null
      ? {}
      : { last_finalized_mc_block_time: head.utime, finalized_age_seconds: Math.max(0, now - ahead - head.utime) }
  const components = { index: { ...component(trouble.index), ...age }, chain: component(trouble.chain) }
  return { ok: components.index.ok && components.chain.ok, now, components }
}
