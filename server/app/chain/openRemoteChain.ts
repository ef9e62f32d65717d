// The chain side of the service on a network of lite servers.

import { createMethodRunner } from '../../contracts/index.ts'
import { type Connect, createVerifiedLiteServer, type RepeatedSending, type ServerPool } from '../../node/index.ts'
import type { Log, Metrics } from '../../observe/index.ts'
import { createTvmPool } from '../../tvm/index.ts'
import { measureLiteCalls } from '../network/liteCalls.ts'
import { openNetwork } from '../network/openNetwork.ts'
import { remoteReadiness } from '../network/remoteReadiness.ts'
import type { Config } from '../settings/settings.ts'
import type { ChainService } from './chainService.ts'

function measureServers(pool: ServerPool, metrics: Metrics): void {
  // An unknown value has no sample: a 0 would look healthy.
  const perServer = (name: string, help: string, read: (report: ServerPool['servers'][number]) => number | null) =>
    metrics.gauges(`tonrpc_lite_server_${name}`, help, 'server', () =>
      pool.servers.flatMap((report) => {
        const value = read(report)
        return value === null ? [] : [[report.name, value] as const]
      }),
    )
  perServer('up', 'Whether calls go to the lite server.', ({ state }) => (state === 'ready' ? 1 : 0))
  perServer('head_seqno', 'Newest masterchain block of the lite server.', ({ seqno }) => seqno)
  perServer('lag_blocks', 'Blocks the lite server is behind the best one.', ({ lag }) => lag)
  perServer('latency_seconds', 'Smoothed time of an answer.', ({ latencyMs }) =>
    latencyMs === null ? null : latencyMs / 1_000,
  )
  measureLiteCalls(pool, metrics)
  metrics.gauge(
    'tonrpc_lite_hedged_share',
    'Calls repeated because the answer was late, over all.',
    () => pool.hedgedShare,
  )
}

function measureSending(sending: RepeatedSending, metrics: Metrics): void {
  const name = 'tonrpc_sent_messages'
  metrics.gauge(`${name}_waiting`, 'Messages sent and not yet seen in a block.', () => sending.waiting)
  metrics.total(`${name}_repeated_total`, 'Times a message was sent again since the start.', () => sending.repeated)
}

function measure(parts: { readonly pool: ServerPool; readonly sending: RepeatedSending }, metrics: Metrics): void {
  measureServers(parts.pool, metrics)
  measureSending(parts.sending, metrics)
}

/** Rejects as `openNetwork` does. */
export async function openRemoteChain(config: Config, log: Log, connect: Connect): Promise<ChainService> {
  const opened = await openNetwork(config, log, connect)
  const { chain, servers, trust, sending, send, start, ownClock, oldHeadS, forWorkers } = opened
  const ends: (() => unknown)[] = [() => opened.close()]
  const close = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end()
  }
  try {
    const pool = await createTvmPool({ timeLimitMs: config.runMs, notice: (text, facts) => log.warn(facts, text) })
    ends.push(() => pool.close())
    return {
      chain,
      pool,
      controlled: null,
      demo: null,
      lite: {
        server: {
          ...createVerifiedLiteServer(servers, trust, { runMethod: createMethodRunner({ chain, pool }) }),
          send,
        },
        trustStart: async () => ({ zerostate: start.zerostate, init: start.block, hardForks: [] }),
        onUndone: () => () => undefined,
      },
      forWorkers,
      stretch: () => servers.stretch,
      touch: () => undefined,
      clockAheadS: () => ownClock().aheadS,
      readiness: () => remoteReadiness(servers, trust, { oldHeadS, now: Date.now() / 1_000 }),
      measure: (metrics) => measure({ pool: servers, sending }, metrics),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
