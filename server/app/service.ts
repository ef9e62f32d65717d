// The composition root: the one file that knows every room.

import { chainRegistry, type Registry, registry } from '../../shared/registry.ts'
import { V2_VERSION, V3_VERSION } from '../../shared/version.ts'
import { createAccess, createFileKeyStore, createTrustedProxies } from '../access/index.ts'
import { createCast } from '../demo/index.ts'
import type { AccountDescription, Progress } from '../devchain/index.ts'
import { createDocs, type Docs, type Examples, type ServiceFacts } from '../docs/index.ts'
import { createHttp, defaultLimits, type HttpLimits } from '../http/index.ts'
import {
  createCallLanes,
  createDevHandlers,
  createDispatch,
  createHandlers,
  createResultCache,
  type Needs,
  type WritingHandlers,
} from '../methods/index.ts'
import { type Connect, connectLiteServer } from '../node/index.ts'
import { createMetrics, type Log } from '../observe/index.ts'
import { followChainSeqno } from './chainSeqno.ts'
import { type ChainService, openEmbeddedChain } from './chainService.ts'
import { type IndexService, noIndex, openIndex, openIndexDatabase, readsAtOnce } from './indexService.ts'
import { type ListenerParts, type LiteListening, startLiteListener } from './liteListener.ts'
import { createLiveExamples } from './liveExamples.ts'
import { reportMemory } from './memoryReport.ts'
import { readinessOf, type ServiceReadiness, type StartTrouble, startTroubleOf } from './readiness.ts'
import { openRemoteChain } from './remoteChain.ts'
import { requestLogOf } from './requestLog.ts'
import type { Config } from './settings.ts'
import { StartRefused } from './startRefused.ts'
import { reportTvm } from './tvmReport.ts'

/** Methods that are served over HTTP. */
export interface ServedMethods {
  readonly url: string
  /** Where clients of lite servers are served; null when they are not. */
  readonly lite: Omit<LiteListening, 'close'> | null
  /** Whether calls are answered now, with a text; for each side why it is not ready. */
  readiness(): Promise<ServiceReadiness>
  startTrouble(): Promise<StartTrouble>
  close(): Promise<void>
}

export interface Service extends ServedMethods {
  /** Well-known accounts of the embedded chain. */
  readonly accounts: readonly AccountDescription[]
  /** Whether the chain has begun to play its demo. */
  readonly playsDemo: boolean
}

/** Another set of methods, or tighter bounds: what tests play with. */
export interface Variation<R extends Registry> {
  readonly registry: R
  readonly handlers: (docs: Docs) => WritingHandlers<R>
  /** Examples for the reference pages in place of those of the definitions. */
  readonly examples?: (handlers: WritingHandlers<R>) => () => Promise<Examples>
  /** The chain of the service; left out for methods that need no chain. */
  readonly chain?: ChainService
  readonly index?: IndexService
}

export interface ServiceParts {
  readonly config: Config
  readonly log: Log
  readonly limits?: Partial<HttpLimits>
  /** Leave the index closed; its methods then refuse. */
  readonly withoutIndex?: boolean
  /** Hold every result against its schema. */
  readonly checkResults?: boolean
  /** Called with the progress of a new chain's demo, and at its end. */
  readonly onDemo?: (progress: Progress) => void
  /** Called with what became of the index of the data folder, when that is not what it was. */
  readonly onIndex?: (text: string) => void
  /** How lite servers are reached; by default over the network. */
  readonly connect?: Connect
  /** Milliseconds by which budgets fill and keys end; tests hold it still. */
  readonly now?: () => number
}

/** The bounds in force, for the documents. */
const shownLimits = (limits: HttpLimits, callMs: number): Record<string, number> => ({
  bodyBytes: limits.bodyBytes,
  urlBytes: limits.urlBytes,
  headerBytes: limits.headerBytes,
  v3HeadBytes: limits.v3HeadBytes,
  batchItems: limits.batchItems,
  batchItemsWithKey: limits.batchItemsWithKey,
  replyBytes: limits.replyBytes,
  jsonDepth: limits.jsonDepth,
  frameBytes: limits.frameBytes,
  callMs,
})

/** Readiness of a process that only indexes. */
const indexRegistry = { 'rpc.discover': chainRegistry['rpc.discover'] }

/** The service with its own methods. */
export async function startService(parts: ServiceParts): Promise<Service> {
  const { config, log } = parts
  // While the chain is opened.
  const database = parts.withoutIndex === true ? null : openIndexDatabase(config, log, parts.onIndex)
  const chain = await openChain(parts).catch(async (error: unknown) => {
    database?.giveUp()
    await database?.close()
    throw error
  })
  const index = database === null ? noIndex : openIndex(config, { ...chain, database }, log)
  const close = async () => {
    await index.close()
    await chain.close()
  }
  try {
    await index.started()
    const service = await startMethods(parts, chain, index)
    const { demo, controlled } = chain
    // After the service listens: calls must not wait for the demo.
    if (demo !== null) setImmediate(() => void demo.play(parts.onDemo ?? (() => undefined)))
    return {
      ...service,
      accounts: controlled?.accounts ?? [],
      playsDemo: demo !== null,
      async close() {
        // At once, or the demo would take the machine while running calls finish.
        const stopped = demo?.stop()
        await service.close()
        await stopped
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

const NO_LIST_FOR_DEVNET =
  '--liteservers: devnet is a chain of its own; add --network testnet, mainnet or custom to read the one of these servers'

async function openChain({ config, log, connect = connectLiteServer }: ServiceParts): Promise<ChainService> {
  if (config.network !== 'devnet') return await openRemoteChain(config, log, connect)
  if (config.liteservers !== '') throw new StartRefused(NO_LIST_FOR_DEVNET)
  return await openEmbeddedChain(config, log)
}

function startMethods(parts: ServiceParts, side: ChainService, index: IndexService): Promise<ServedMethods> {
  const { role, network } = parts.config
  const { pool, controlled } = side
  const needs = (docs: Docs): Needs => ({
    chain: side.chain,
    pool,
    store: index.store,
    index: index.view,
    newest: index.newest,
    testOnly: network !== 'mainnet',
    discover: docs.openrpc as Needs['discover'],
  })
  const sides = { chain: side, index }
  if (role === 'index')
    return startServiceOf(parts, {
      ...sides,
      registry: indexRegistry,
      handlers: (docs) => ({ 'rpc.discover': () => needs(docs).discover() }),
    })
  if (controlled === null)
    return startServiceOf(parts, {
      ...sides,
      registry: chainRegistry,
      handlers: (docs) => createHandlers(needs(docs)),
      examples: (handlers) => createLiveExamples({ registry: chainRegistry, handlers, cast: null }),
    })
  return startServiceOf(parts, {
    ...sides,
    registry,
    handlers: (docs) => createDevHandlers({ ...needs(docs), ...controlled }),
    examples: (handlers) => createLiveExamples({ registry, handlers, cast: createCast(parts.config.globalId) }),
  })
}

/** Where the configuration for clients of lite servers is served. */
const CONFIG_PATHS = ['/global.config.json', '/lite.config.json']

async function listenForLite(
  { chain }: Pick<Variation<Registry>, 'chain'>,
  parts: Pick<ListenerParts, 'config' | 'access' | 'log' | 'metrics'>,
): Promise<LiteListening | null> {
  if (chain === undefined || chain.lite === null) {
    if (chain !== undefined && parts.config.litePort !== 'off')
      throw new StartRefused('--lite-port: there is no chain to serve clients of lite servers from')
    return null
  }
  return await startLiteListener({ ...parts, source: chain.lite, touch: chain.touch })
}

/** The same service around any registry. */
export async function startServiceOf<R extends Registry>(
  parts: ServiceParts,
  methods: Variation<R>,
): Promise<ServedMethods> {
  const { config, log } = parts
  const limits: HttpLimits = {
    ...defaultLimits,
    bodyBytes: config.bodyBytes,
    v3HeadBytes: config.v3HeadBytes,
    batchItems: config.batchItems,
    batchItemsWithKey: config.batchItemsWithKey,
    replyBytes: config.replyBytes,
    connections: config.connections,
    connectionsPerAddress: config.connectionsPerAddress,
    sockets: config.sockets,
    drainMs: config.drainMs,
    ...parts.limits,
  }
  const requestLog = await requestLogOf(config, log)
  const metrics = createMetrics()
  const store = createFileKeyStore(config.data, {
    report: (error) => log.warn({ err: error }, 'trouble with the key file'),
  })
  const access = createAccess({
    network: config.network,
    limits: config.limits,
    store,
    ...(parts.now ? { now: parts.now } : {}),
  })
  let live: (() => Promise<Examples>) | undefined
  const facts: ServiceFacts = {
    title: 'tonrpc',
    versions: { v2: V2_VERSION, v3: V3_VERSION },
    network: config.network,
    limits: shownLimits(limits, config.callMs),
    publicUrl: config.publicUrl || undefined,
  }
  const docs = createDocs(methods.registry, facts, () => live?.() ?? Promise.resolve({}))
  const handlers = methods.handlers(docs)
  live = methods.examples?.(handlers)
  const cache = createResultCache(config.memoryMb * 1024 * 1024)
  const head = followChainSeqno(methods.chain?.chain, () => cache.newBlock())
  const forgetIndex = methods.index?.view.onIndexed((head) => (head === null ? cache.leaveIndex() : cache.newIndexed()))
  methods.index?.measure(metrics)
  reportMemory(metrics)
  methods.chain?.measure?.(metrics)
  if (methods.chain) reportTvm(methods.chain.pool, { log, metrics })
  const lite = await listenForLite(methods, { config, access, log, metrics })
  const dispatch = createDispatch({
    registry: methods.registry,
    handlers,
    access,
    cache,
    log,
    metrics,
    timeoutMs: config.callMs,
    onCall: methods.chain?.touch ?? (() => undefined),
    checkResults: parts.checkResults ?? false,
    lanes: createCallLanes(metrics, readsAtOnce(config)),
    seqnos: { index: (methods.index ?? noIndex).view, chain: head.seqno },
  })
  const closeRest = async (): Promise<void> => {
    await lite?.close()
    head.stop()
    forgetIndex?.()
    await access.close()
    await requestLog?.close()
  }
  const http = await createHttp({
    registry: methods.registry,
    dispatch,
    access,
    docs,
    metrics,
    log,
    requestLog,
    readiness: () => readinessOf(methods),
    files: new Map(lite === null ? [] : CONFIG_PATHS.map((path) => [path, lite.config])),
    options: {
      host: config.host,
      port: config.port,
      network: config.network,
      publicUrl: config.publicUrl || null,
      corsOrigins: config.corsOrigins,
      proxies: createTrustedProxies(config.trustProxy),
      controlToken: config.controlToken,
      controlOrigins: config.controlOrigins,
      limits,
    },
  }).catch(async (error: unknown) => {
    await closeRest()
    throw error
  })
  return {
    url: http.url,
    lite,
    readiness: () => readinessOf(methods),
    startTrouble: () => startTroubleOf(methods),
    async close() {
      await http.close()
      await closeRest()
    },
  }
}
