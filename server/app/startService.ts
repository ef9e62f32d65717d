// The composition root: the one file that knows every room.

import { chainRegistry, type Registry, registry } from '../../shared/registry.ts'
import type { KeyStore } from '../access/index.ts'
import { createCast } from '../demo/index.ts'
import { createDocs, type Docs, type Examples } from '../docs/index.ts'
import { createHttp, createKeysService, portEntrance, SeatedConnections } from '../http/index.ts'
import {
  createCallLanes,
  createDevHandlers,
  createDispatch,
  createHandlers,
  createResultCache,
  followChainSeqno,
  type Needs,
  SentMessages,
} from '../methods/index.ts'
import { connectLiteServer } from '../node/index.ts'
import { createMetrics, type Metrics } from '../observe/index.ts'
import { openCallers } from './callers.ts'
import { openBackups } from './dataBackup.ts'
import { httpOptionsOf, limitsOf, pageFactsOf, seatsOf } from './httpParts.ts'
import { noIndex, openIndex, openIndexDatabase, readsAtOnce } from './indexService.ts'
import { jsonDocuments } from './jsonDocuments.ts'
import { createLeaving } from './leaving.ts'
import { listenForLite } from './listenForLite.ts'
import { createLiveExamples } from './liveExamples.ts'
import { openAbiBook } from './openAbiBook.ts'
import { openChainService } from './openChainService.ts'
import { openSharing } from './openSharing.ts'
import { reportProcess } from './processReport.ts'
import { readinessOf, startTroubleOf } from './readiness.ts'
import { requestLogOf } from './requestLogOf.ts'
import type { ServedMethods, Service, ServiceParts, Variation } from './serviceParts.ts'
import type { Sides } from './sides.ts'
import { openStreams } from './streams.ts'
import { tracedConnect, tracedDispatch, tracedPool, tracedSql } from './tracedParts.ts'
import { openTracing } from './tracing.ts'
import { reportTvm } from './tvmReport.ts'
import { openWebhooks } from './webhooks.ts'
import { processesOf, shareOf, startTeam, type WorkerTeam } from './workerTeam.ts'

/** The service with its own methods. */
export async function startService(given: ServiceParts): Promise<Service> {
  const processes = processesOf(given.config)
  const parts = { ...given, config: shareOf(given.config, processes) }
  const { config, log } = parts
  // While the chain is opened.
  const database = parts.withoutIndex === true ? null : openIndexDatabase(config, log, parts.onIndex)
  const tracing = openTracing(config, log)
  const connect = parts.connect ?? connectLiteServer
  const reached = tracing === null ? connect : tracedConnect(connect, tracing.traces)
  const chain = await openChainService(config, log, reached).catch(async (error: unknown) => {
    database?.giveUp()
    await database?.close()
    throw error
  })
  const index = database === null ? noIndex : openIndex(config, { ...chain, database }, log)
  let backups: Awaited<ReturnType<typeof openBackups>> = null
  const close = async () => {
    await backups?.close()
    await index.close()
    await chain.close()
  }
  try {
    await index.started()
    backups = await openBackups(config, database, log)
    const stopping = new AbortController()
    const abis = await openAbiBook(config, log)
    const sides = { chain, index, abis, tracing, stopping: stopping.signal }
    const service = await startMethods(parts, processes - 1, sides)
    const { demo, controlled } = chain
    // After the service listens: calls must not wait for the demo.
    if (demo !== null) setImmediate(() => void demo.play(parts.onDemo ?? (() => undefined)))
    return {
      ...service,
      accounts: controlled?.accounts ?? [],
      playsDemo: demo !== null,
      async close() {
        await service.leave()
        // At once, or the demo would take the machine while running calls finish.
        const stopped = demo?.stop()
        stopping.abort()
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

/** `count` worker processes next to this one. */
function startMethods(parts: ServiceParts, count: number, sides: Sides): Promise<ServedMethods> {
  const { role, network } = parts.config
  const { index, chain: side, abis, stopping, tracing } = sides
  const { pool, controlled } = side
  const workers = count === 0 ? {} : { workers: { count, isControlled: controlled !== null } }
  const sent = new SentMessages()
  const sharing = openSharing(parts.config, { chain: side.chain, index, sent, log: parts.log })
  const testOnly = network !== 'mainnet'
  const limits = parts.streamTimes === undefined ? {} : { limits: parts.streamTimes }
  const streams = (metrics: Metrics) => openStreams({ side, index, sent, testOnly, log: parts.log, metrics, ...limits })
  const webhooks = (keys: KeyStore, jsonDepth: number) =>
    openWebhooks({ side, index, keys, config: parts.config, jsonDepth, log: parts.log })
  const needs = (docs: Docs): Needs => ({
    chain: sent.watch(side.chain),
    pool: tracing === null ? pool : tracedPool(pool, tracing.traces),
    store: tracing === null ? index.store : tracedSql(index.store, tracing.traces),
    index: index.view,
    newest: index.newest,
    abis,
    stopping,
    exchange: sharing?.exchange,
    testOnly,
    discover: docs.openrpc as Needs['discover'],
  })
  if (role === 'index')
    return startServiceOf(parts, {
      ...{ ...sides, sharing, webhooks },
      registry: { 'rpc.discover': chainRegistry['rpc.discover'] },
      handlers: (docs) => ({ 'rpc.discover': () => needs(docs).discover() }),
    })
  if (controlled === null)
    return startServiceOf(parts, {
      ...{ ...sides, ...workers, sharing, streams, webhooks },
      registry: chainRegistry,
      handlers: (docs) => createHandlers(needs(docs)),
      examples: (handlers) => createLiveExamples({ registry: chainRegistry, handlers, cast: null }),
    })
  return startServiceOf(parts, {
    ...{ ...sides, ...workers, sharing, streams, webhooks },
    registry,
    handlers: (docs) => createDevHandlers({ ...needs(docs), ...controlled }),
    examples: (handlers) => createLiveExamples({ registry, handlers, cast: createCast(parts.config.globalId) }),
  })
}

/** The same service around any registry. */
export async function startServiceOf<R extends Registry>(
  parts: ServiceParts,
  methods: Variation<R>,
): Promise<ServedMethods> {
  const { config, log } = parts
  const { workers, tracing = null, sharing = null } = methods
  const traces = tracing?.traces
  const limits = limitsOf(config, parts.limits)
  const leaving = createLeaving(config.stopDelayMs)
  const requestLog = await requestLogOf(config, log)
  const metrics = createMetrics()
  const callers = openCallers(config, log, { confirmed: (methods.index ?? noIndex).confirmed, now: parts.now })
  const { access, keys, plans, usage, meter } = callers
  let live: (() => Promise<Examples>) | undefined
  const examples = () => live?.() ?? Promise.resolve({})
  let team: WorkerTeam | null = null
  const docs = createDocs(methods.registry, pageFactsOf(config, limits), examples)
  const handlers = methods.handlers(docs)
  live = methods.examples?.(handlers)
  const cache = createResultCache(config.memoryMb * 1024 * 1024)
  const head = followChainSeqno(methods.chain?.chain, () => {
    cache.newBlock()
    team?.publish('block')
  })
  const forgetIndex = methods.index?.view.onIndexed((indexed) => {
    if (indexed === null) cache.leaveIndex()
    else cache.newIndexed()
    team?.publish(indexed === null ? 'unindexed' : 'indexed')
  })
  methods.index?.measure(metrics)
  tracing?.measure(metrics)
  sharing?.measure(metrics)
  reportProcess(metrics, { cache, access, network: config.network, role: config.role })
  methods.chain?.measure?.(metrics)
  if (methods.chain) reportTvm(methods.chain.pool, { log, metrics })
  const lite = await listenForLite(methods.chain, { config, access, log, metrics })
  const untraced = createDispatch({
    registry: methods.registry,
    handlers,
    access,
    cache,
    log,
    metrics,
    usage: meter,
    timeoutMs: config.callMs,
    onCall: methods.chain?.touch ?? (() => undefined),
    checkResults: parts.checkResults ?? false,
    lanes: createCallLanes(metrics, readsAtOnce(config)),
    seqnos: { index: (methods.index ?? noIndex).view, chain: head.seqno },
    ...(workers === undefined ? {} : { settled: () => team?.settled() ?? null }),
  })
  const dispatch = traces === undefined ? untraced : tracedDispatch(untraced, traces)
  const options = httpOptionsOf(config, limits)
  const answerKeys = createKeysService({
    ...{ access, keys, plans, usage, options },
    failures: async () => metrics.failures(await team?.counts()),
  })
  const seats = seatsOf(access, options)
  const readiness = async () => {
    const state = leaving.judge(await readinessOf(methods))
    return team === null ? state : { ...state, checks: { ...state.checks, workers: team.words } }
  }
  const metricsText = async () => metrics.text(await team?.counts())
  const files = jsonDocuments(config, lite)
  const webhooks = methods.webhooks?.(keys, limits.jsonDepth) ?? null
  const closeRest = async (): Promise<void> => {
    await webhooks?.close()
    await lite?.close()
    head.stop()
    forgetIndex?.()
    await sharing?.close()
    await callers.close()
    await requestLog?.close()
    await tracing?.close()
  }
  const entrance = portEntrance({
    ...{ host: config.host, port: config.port },
    connections: new SeatedConnections(seats),
    handOver: workers === undefined ? null : (socket, seat) => team?.handOver(socket, seat) ?? false,
  })
  const streams = methods.streams?.(metrics) ?? null
  const http = await createHttp({
    ...{
      registry: methods.registry,
      dispatch,
      access,
      docs,
      log,
      requestLog,
      traces,
      readiness,
      files,
      options,
      streams,
    },
    keys: answerKeys,
    webhooks: webhooks?.serve ?? null,
    metrics: { ...metrics, text: metricsText },
    entrance,
    onBarred: (subject, ms) => team?.bar({ subject, ms }),
  }).catch(async (error: unknown) => {
    await closeRest()
    throw error
  })
  if (workers !== undefined) {
    team = await startTeam({
      ...workers,
      ...{ config, limits, seats, access, dispatch, index: methods.index, metrics, log, requestLog, traces },
      ...{ readiness, examples, metricsText, chainSeqno: head.seqno, touch: methods.chain?.touch ?? (() => undefined) },
      ...{ files: [...files], bar: http.bar, adopt: entrance.adopt, keys: answerKeys, meter },
      webhooks: webhooks?.serve ?? null,
      checkResults: parts.checkResults ?? false,
    }).catch(async (error: unknown) => {
      await http.close()
      await closeRest()
      throw error
    })
  }
  return {
    url: http.url,
    lite,
    readiness,
    startTrouble: () => startTroubleOf(methods),
    leave: leaving.begin,
    async close() {
      await Promise.all([http.close(), team?.close()])
      await closeRest()
    },
  }
}
