// Serves the methods of a registry over HTTP, in this process and in workers.

import type { Registry } from '../../../shared/registry.ts'
import { createDocs, type Docs, type Examples } from '../../docs/index.ts'
import { drawInThread } from '../../docs/thread/index.ts'
import {
  createHttp,
  createKeysService,
  keysDocument,
  mostRefusals,
  portEntrance,
  SeatedConnections,
} from '../../http/index.ts'
import { createCallLanes, createDispatch, type Dispatch, standsIn } from '../../methods/index.ts'
import { createMetrics, type Log, type Metrics, openRequestLog, type RequestLog } from '../../observe/index.ts'
import { closeInTurn, closeTogether, diskFailure, failureText, hasCode } from '../../process/index.ts'
import { type Callers, openCallers, requireWholeKeys } from '../callers.ts'
import type { ChainService } from '../chain/chainService.ts'
import { genesisOf } from '../chain/genesisOf.ts'
import { type ListenerParts, type LiteListening, startLiteListener } from '../chain/liteListener.ts'
import { noIndex, readLanes } from '../database/indexService.ts'
import { httpOptionsOf, limitsOf, pageFactsOf, seatsOf } from '../httpParts.ts'
import { programVersion } from '../programVersion.ts'
import { createLeaving } from '../reports/leaving.ts'
import { reportProcess } from '../reports/processReport.ts'
import { readinessOf, startTroubleOf } from '../reports/readiness.ts'
import { tracedDispatch } from '../reports/tracedParts.ts'
import { reportTvm } from '../reports/tvmReport.ts'
import type { Config } from '../settings/settings.ts'
import { StartRefused } from '../startRefused.ts'
import { LateTeam } from '../workers/lateTeam.ts'
import { startTeam } from '../workers/workerTeam.ts'
import { type CachedResults, cacheResults } from './cachedResults.ts'
import type { MethodSet, ServedMethods, ServiceParts } from './serviceParts.ts'

/** The documents, and the handlers, whose results are their examples. */
function documented<R extends Registry>(methods: MethodSet<R>, facts: Parameters<typeof createDocs>[1]) {
  let live: (() => Promise<Examples>) | undefined
  const examples = () => live?.() ?? Promise.resolve({})
  const { registry, drawing = drawInThread } = methods
  const docs: Docs = createDocs(registry, facts, { examples, draw: drawing(registry, facts) })
  const handlers = methods.handlers(docs)
  live = methods.examples?.(handlers)
  return { docs, handlers, examples }
}

interface DispatchTools {
  readonly callers: Callers
  readonly metrics: Metrics
  readonly results: CachedResults
  readonly team: LateTeam
}

function dispatchOf<R extends Registry>(
  { config, log, checkResults = false }: ServiceParts,
  methods: MethodSet<R>,
  handlers: ReturnType<MethodSet<R>['handlers']>,
  { callers, metrics, results, team }: DispatchTools,
): Dispatch {
  const dispatch = createDispatch({
    registry: methods.registry,
    handlers,
    log,
    metrics,
    checkResults,
    access: callers.access,
    usage: callers.meter,
    cache: results.cache,
    timeoutMs: config.callMs,
    statementMs: config.statementMs,
    onCall: methods.chain?.touch ?? (() => undefined),
    lanes: createCallLanes(metrics, { ...readLanes(config), stretch: methods.chain?.stretch }),
    seqnos: {
      index: (methods.index ?? noIndex).view,
      chain: results.chainSeqno,
      stands: methods.chain && standsIn(methods.chain.chain),
    },
    ...(methods.workers === undefined ? {} : { settled: () => team.settled() }),
  })
  const traces = methods.tracing?.traces
  return traces === undefined ? dispatch : tracedDispatch(dispatch, traces)
}

/** What the parts of the service report of themselves. */
function measure<R extends Registry>(
  { config, log }: ServiceParts,
  { chain, index, tracing, sharing }: MethodSet<R>,
  { callers, metrics, results }: DispatchTools,
): void {
  index?.measure(metrics)
  tracing?.measure(metrics)
  sharing?.measure(metrics)
  const { network, role } = config
  reportProcess(metrics, { cache: results.cache, access: callers.access, network, role })
  chain?.measure?.(metrics)
  if (chain) reportTvm(chain.pool, { log, metrics })
}

/** Listens for clients of lite servers, if the settings say so and the chain can serve them. Throws StartRefused. */
async function listenForLite(
  chain: ChainService | undefined,
  parts: Pick<ListenerParts, 'config' | 'access' | 'log' | 'metrics'>,
): Promise<LiteListening | null> {
  if (chain === undefined || chain.lite === null) {
    if (chain !== undefined && parts.config.litePort !== 'off')
      throw new StartRefused('--lite-port: there is no chain to serve clients of lite servers from')
    return null
  }
  return await startLiteListener({ ...parts, source: chain.lite, touch: chain.touch })
}

/** Undefined when requests are not logged. Throws StartRefused when the file cannot be opened. */
async function requestLogOf(
  { requestLog, requestLogSample }: Pick<Config, 'requestLog' | 'requestLogSample'>,
  log: Log,
): Promise<RequestLog | undefined> {
  if (requestLog === 'off') return undefined
  try {
    return await openRequestLog({ to: requestLog, sample: requestLogSample, log })
  } catch (error) {
    const why = diskFailure(error) ?? failureText(error)
    const remedy = hasCode(error, 'ENOENT', 'ENOTDIR')
      ? 'name one in a folder that exists'
      : hasCode(error, 'EACCES', 'EPERM')
        ? 'let the user of the service write there, or name another one'
        : 'name another one'
    throw new StartRefused(`--request-log: the file ${requestLog} cannot be opened (${why}); ${remedy}`, {
      cause: error,
    })
  }
}

/** All that answers calls, but for the doors through which they come. */
async function openAnswering<R extends Registry>(parts: ServiceParts, methods: MethodSet<R>) {
  const { config, log } = parts
  const { index, chain, tracing = null } = methods
  const limits = limitsOf(config, parts.limits)
  const options = httpOptionsOf(config, limits)
  const leaving = createLeaving(config.stopDelayMs)
  const requestLog = await requestLogOf(config, log)
  const metrics = createMetrics()
  const genesis = () => (chain === undefined ? Promise.reject(new Error('no chain')) : genesisOf(chain.chain))
  const callers = openCallers(config, log, { confirmed: (index ?? noIndex).confirmed, genesis, now: parts.now })
  const { access, keys, plans, usage } = callers
  const team = new LateTeam()
  const { docs, handlers, examples } = documented(methods, pageFactsOf(config, limits))
  const results = cacheResults(methods, config.memoryMb, team)
  const tools = { callers, metrics, results, team }
  measure(parts, methods, tools)
  const closeParts = async (): Promise<void> => {
    results.stop()
    await closeInTurn(
      () => callers.close(),
      () => requestLog?.close(),
    )
  }
  const lite = await requireWholeKeys(callers, config)
    .then(() => listenForLite(chain, { config, access, log, metrics }))
    .catch(async (error: unknown) => {
      await closeParts()
      throw error
    })
  const dispatch = dispatchOf(parts, methods, handlers, tools)
  const webhooks = methods.webhooks?.(keys, limits.jsonDepth) ?? null
  return {
    ...tools,
    limits,
    options,
    leaving,
    docs,
    examples,
    lite,
    /** What this process and the workers answer with. */
    shared: {
      access,
      dispatch,
      log,
      requestLog,
      traces: tracing?.traces,
      webhooks: webhooks?.serve ?? null,
      keys: createKeysService({
        access,
        keys,
        plans,
        usage,
        options,
        failures: async () => metrics.failures(await team.counts()),
      }),
      async readiness() {
        const state = leaving.judge(await readinessOf(methods))
        return team.words === null ? state : { ...state, checks: { ...state.checks, workers: team.words } }
      },
    },
    close: (): Promise<void> =>
      closeInTurn(
        () => webhooks?.close(),
        () => lite?.close(),
        closeParts,
      ),
  }
}

/** Where the configuration for clients of lite servers is served. */
const CONFIG_PATHS = ['/global.config.json', '/lite.config.json']

/** JSON that is served as it is, by path. */
function jsonDocuments({ network }: Pick<Config, 'network'>, lite: LiteListening | null) {
  let text: string | undefined
  // Few ever read it, and it takes a start 15 ms.
  const ofKeys = () => {
    text ??= keysDocument({ network, version: programVersion() })
    return text
  }
  const ofLite = lite === null ? [] : CONFIG_PATHS.map((path) => [path, () => lite.config] as const)
  return new Map<string, () => string>([['/openapi/keys.json', ofKeys], ...ofLite])
}

export async function serveRegistry<R extends Registry>(
  parts: ServiceParts,
  methods: MethodSet<R>,
): Promise<ServedMethods> {
  const { config } = parts
  const { registry, index, chain, workers } = methods
  const answering = await openAnswering(parts, methods)
  const { shared, team, callers, metrics, results, limits, options, docs, examples, lite, leaving } = answering
  const seats = seatsOf(callers.access, options, parts.now)
  const metricsText = async () => metrics.text(await team.counts())
  const files = jsonDocuments(config, lite)
  const entrance = portEntrance({
    host: config.host,
    port: config.port,
    connections: new SeatedConnections(seats, mostRefusals(limits.connections)),
    handOver: workers === undefined ? null : (socket, seat) => team.handOver(socket, seat),
  })
  const http = await createHttp({
    ...shared,
    registry,
    docs,
    files,
    options,
    entrance,
    streams: methods.streams?.(metrics) ?? null,
    metrics: { ...metrics, text: metricsText },
    onBarred: (subject, ms) => team.bar({ subject, ms }),
  }).catch(async (error: unknown) => {
    await answering.close()
    throw error
  })
  const close = (): Promise<void> =>
    closeInTurn(
      () => closeTogether(http.close, () => team.close()),
      () => answering.close(),
    )
  if (workers !== undefined) {
    const started = startTeam({
      ...shared,
      ...workers,
      config,
      limits,
      seats,
      index,
      metrics,
      examples,
      metricsText,
      meter: callers.meter,
      files: [...files].map(([path, text]) => [path, text()]),
      chainSeqno: results.chainSeqno,
      bar: http.bar,
      adopt: entrance.adopt,
      stands: chain && standsIn(chain.chain),
      chain: chain?.forWorkers ?? null,
      history: chain?.history ?? null,
      touch: chain?.touch ?? (() => undefined),
      checkResults: parts.checkResults ?? false,
    }).catch(async (error: unknown) => {
      await close()
      throw error
    })
    team.begin(await started)
  }
  return {
    url: http.url,
    lite,
    close,
    readiness: shared.readiness,
    startTrouble: () => startTroubleOf(methods),
    leave: leaving.begin,
  }
}
