// The composition root: the one file that knows every room.

import { chainRegistry, registry } from '../../shared/registry.ts'
import type { KeyStore } from '../access/index.ts'
import { createCast } from '../demo/index.ts'
import type { Docs } from '../docs/index.ts'
import {
  type AbiBook,
  createDevHandlers,
  createHandlers,
  discoveryHandlers,
  type Needs,
  SentMessages,
} from '../methods/index.ts'
import { type Connect, connectLiteServer } from '../node/index.ts'
import { loadProcessMetrics, type Metrics } from '../observe/index.ts'
import { closeInTurn, filePlan } from '../process/index.ts'
import { openAbiBook } from './abi/openAbiBook.ts'
import { type ChainService, openEmbeddedChain } from './chain/chainService.ts'
import { openRemoteChain } from './chain/openRemoteChain.ts'
import { openBackups } from './data/dataBackup.ts'
import { type IndexService, noIndex, openIndex } from './database/indexService.ts'
import { openIndexDatabase } from './database/openIndexDatabase.ts'
import { createLiveExamples } from './examples/liveExamples.ts'
import { openSharing, type Sharing } from './openSharing.ts'
import { reportRefusedThreads } from './reports/threadReport.ts'
import { tracedConnect, tracedPool, tracedSql } from './reports/tracedParts.ts'
import { openTracing, type Tracing } from './reports/tracing.ts'
import { bringingAccounts } from './serving/forkedHandlers.ts'
import { serveRegistry } from './serving/serveRegistry.ts'
import type { ServedMethods, Service, ServiceParts } from './serving/serviceParts.ts'
import { openStreams } from './serving/streams.ts'
import { openWebhooks } from './serving/webhooks.ts'
import { settingsWithin } from './settings/callerFiles.ts'
import { processesOf, shareOf } from './settings/processes.ts'
import { StartRefused } from './startRefused.ts'

/** What the methods of a service are made of. */
interface Sides {
  readonly chain: ChainService
  readonly index: IndexService
  /** Names and ABIs of contracts it was given. */
  readonly abis: AbiBook
  /** Messages that were sent through this service. */
  readonly sent: SentMessages
  /** Null without a Redis. */
  readonly sharing: Sharing | null
  /** Null when nothing is traced. */
  readonly tracing: Tracing | null
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal
}

const NO_LIST_FOR_DEVNET =
  '--liteservers: devnet is a chain of its own; add --network testnet, mainnet or custom to read the one of these ' +
  'servers, or --fork-from to begin with its accounts'
const NO_FORK = '--fork-seqno says where a fork begins: add --fork-from testnet, mainnet or custom, with --liteservers'
const NO_DEVNET = '--fork-from begins a devnet with the accounts of a network: leave out --network'
const NO_WORKERS = '--fork-from works with one process: leave out --workers'

/** Throws StartRefused. */
async function openChainService({ config, log, blockLimits }: ServiceParts, connect: Connect): Promise<ChainService> {
  if (config.network !== 'devnet' && config.forkFrom !== 'off') throw new StartRefused(NO_DEVNET)
  if (processesOf(config) > 1 && config.forkFrom !== 'off') throw new StartRefused(NO_WORKERS)
  if (config.network !== 'devnet') return await openRemoteChain(config, log, connect)
  if (config.forkSeqno !== 0 && config.forkFrom === 'off') throw new StartRefused(NO_FORK)
  if (config.liteservers !== '' && config.forkFrom === 'off') throw new StartRefused(NO_LIST_FOR_DEVNET)
  return await openEmbeddedChain(config, log, { connect, limits: blockLimits })
}

/** The service with its own methods. */
export async function startService(given: ServiceParts): Promise<Service> {
  const stopReport = reportRefusedThreads(given.log)
  try {
    const service = await startReported(given)
    return { ...service, close: () => closeInTurn(service.close, stopReport) }
  } catch (error) {
    stopReport()
    throw error
  }
}

async function startReported(given: ServiceParts): Promise<Service> {
  const processes = processesOf(given.config)
  const bounded = settingsWithin(filePlan().callers, given.config, given.log)
  const parts = { ...given, config: shareOf(bounded, processes) }
  const { config, log } = parts
  const tracing = openTracing(config, log)
  // While the chain is opened.
  const database = parts.withoutIndex === true ? null : (parts.database ?? openIndexDatabase(given.config, log))
  const connect = parts.connect ?? connectLiteServer
  const reached = tracing === null ? connect : tracedConnect(connect, tracing.traces)
  const chain = await openChainService(parts, reached).catch(async (error: unknown) => {
    database?.giveUp()
    await database?.close()
    await tracing?.close()
    throw error
  })
  const { firstBlockMs } = parts
  const index = database === null ? noIndex : openIndex(config, { ...chain, database, firstBlockMs }, log)
  let backups: Awaited<ReturnType<typeof openBackups>> = null
  let sharing: Sharing | null = null
  const close = () =>
    closeInTurn(
      () => backups?.close(),
      () => sharing?.close(),
      () => index.close(),
      () => chain.close(),
      () => tracing?.close(),
    )
  try {
    await Promise.all([index.started(), loadProcessMetrics()])
    backups = await openBackups(config, database, log)
    const stopping = new AbortController()
    const abis = await openAbiBook(config, log)
    const sent = new SentMessages()
    sharing = openSharing(config, { chain: chain.chain, index, sent, log })
    const sides = { chain, index, abis, sent, sharing, tracing, stopping: stopping.signal }
    const service = await startMethods(parts, processes - 1, sides)
    const { demo, controlled } = chain
    const state = controlled?.control.state()
    // After the service listens: calls must not wait for the demo.
    if (demo !== null) setImmediate(() => void demo.play(parts.onDemo ?? (() => undefined)))
    return {
      ...service,
      accounts: controlled?.accounts ?? [],
      playsDemo: demo !== null,
      forkedAt: state?.fork?.block.seqno ?? null,
      clockLead: demo === null ? (state?.clockOffset ?? 0) : 0,
      async close() {
        await service.leave()
        // At once, or the demo would take the machine while running calls finish.
        const stopped = demo?.stop()
        stopping.abort()
        await closeInTurn(service.close, () => stopped, close)
      },
    }
  } catch (error) {
    await close().catch(() => undefined) // What is reported is why it did not start.
    throw error
  }
}

/** `count` worker processes next to this one. */
function startMethods(parts: ServiceParts, count: number, sides: Sides): Promise<ServedMethods> {
  const { role, network, forkFrom } = parts.config
  // The accounts of the demo are not there.
  const isFork = forkFrom !== 'off'
  const { index, chain: side, abis, sent, sharing, stopping, tracing } = sides
  const { pool, controlled } = side
  const workers = count === 0 ? {} : { workers: { count, isControlled: controlled !== null } }
  const testOnly = network !== 'mainnet'
  const limits = parts.streamTimes === undefined ? {} : { limits: parts.streamTimes }
  const streams = (metrics: Metrics) =>
    openStreams({ side, index, sent, testOnly, log: parts.log, metrics, followMs: parts.followMs, ...limits })
  const webhooks = (keys: KeyStore, jsonDepth: number) =>
    openWebhooks({ side, index, keys, config: parts.config, jsonDepth, log: parts.log, answerMs: parts.webhookMs })
  const needs = (docs: Docs): Needs => ({
    chain: sent.watch(side.chain),
    pool: tracing === null ? pool : tracedPool(pool, tracing.traces),
    store: tracing === null ? index.store : tracedSql(index.store, tracing.traces),
    index: index.view,
    newest: index.newest,
    abis,
    stopping,
    exchange: sharing?.exchange,
    followMs: parts.followMs,
    emulationMs: parts.emulationMs,
    testOnly,
    discover: docs.openrpc,
  })
  if (role === 'index')
    return serveRegistry(parts, {
      ...sides,
      webhooks,
      registry: { 'rpc.discover': chainRegistry['rpc.discover'] },
      handlers: (docs) => discoveryHandlers(docs.openrpc),
    })
  if (controlled === null)
    return serveRegistry(parts, {
      ...sides,
      ...workers,
      streams,
      webhooks,
      registry: chainRegistry,
      handlers: (docs) => createHandlers(needs(docs)),
      examples: (handlers) => createLiveExamples({ registry: chainRegistry, handlers, cast: null }),
    })
  return serveRegistry(parts, {
    ...sides,
    ...workers,
    streams,
    webhooks,
    registry,
    handlers: (docs) => bringingAccounts(createDevHandlers({ ...needs(docs), ...controlled }), side, index.view),
    examples: (handlers) =>
      createLiveExamples({ registry, handlers, cast: isFork ? null : createCast(parts.config.globalId) }),
  })
}
