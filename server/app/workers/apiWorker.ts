// A worker process: answers callers with what it has cached and what it reads from the index, and passes other calls to the
// process that owns the chain, which also keeps keys, budgets and the number of connections.

import type { Socket } from 'node:net'
import { chainRegistry, type Registry, registry } from '../../../shared/registry.ts'
import { createRemoteAccess, UsageMeter } from '../../access/index.ts'
import { createDocs, type Examples } from '../../docs/index.ts'
import { drawInThread } from '../../docs/thread/index.ts'
import { createHttp, type Entrance, HandedConnections, type Readiness } from '../../http/index.ts'
import { IndexHeads } from '../../indexer/index.ts'
import {
  createCallLanes,
  createDispatch,
  createResultCache,
  createWorkerHandlers,
  type ResultCache,
  type Stands,
  standsIn,
} from '../../methods/index.ts'
import { connectLiteServer } from '../../node/index.ts'
import { createLog, createMetrics } from '../../observe/index.ts'
import { applyMemoryPlan, compileSoon } from '../../process/index.ts'
import {
  CacheDrops,
  type ChainEvent,
  connectToOwner,
  countedByOwner,
  openRelay,
  PassedReads,
} from '../../workers/index.ts'
import { passedReadLanes } from '../database/indexService.ts'
import { httpOptionsOf, pageFactsOf } from '../httpParts.ts'
import { type ChainOfWorker, openChainOfWorker } from '../network/chainForWorkers.ts'
import { measureLiteCalls } from '../network/liteCalls.ts'
import { isPublic } from '../network/startOfTrust.ts'
import { reportCache } from '../reports/processReport.ts'
import { reportRefusedThreads } from '../reports/threadReport.ts'
import { tracedConnect, tracedDispatch, tracedSql } from '../reports/tracedParts.ts'
import { openTracing } from '../reports/tracing.ts'
import { type HistoryOfWorker, openHistoryOfWorker } from './historyOfWorker.ts'
import { IndexOfWorker, openIndexToRead } from './indexOfWorker.ts'
import type { TeamSetup } from './workerTeam.ts'

/** The owner learns at most so often that calls come in: an idle chain makes fewer blocks. */
const CALLED_EVERY_MS = 1_000
const USAGE_MS = 1_000
const MICROSECONDS = 1e6

/** The one whose word this worker waits for. */
const OWNER = 0
const drops = new CacheDrops()
const indexHeads = new IndexHeads()
let chainSeqno: number | null = null

/** Null where only the owner reads the chain. */
let own: ChainOfWorker | null = null
/** Null where only the owner reads the history of its chain. */
let history: HistoryOfWorker | null = null
/** Null until it can answer: the owner may stop while this process starts. */
let http: Awaited<ReturnType<typeof createHttp>> | null = null

function take({ what, heads }: ChainEvent, cache: ResultCache, index: IndexOfWorker): void {
  history?.begin()
  // Before an answer names the block.
  database?.keepUp(heads.index)
  chainSeqno = heads.chain
  if (heads.proven !== null) own?.giveHead(heads.proven)
  if (what === 'block') cache.newBlock()
  else if (what === 'indexed') cache.newIndexed()
  else if (what === 'moving') cache.leaveIndex()
  else {
    cache.leaveIndex()
    index.leave()
  }
  indexHeads.set(heads.index)
}

const { number, setup, link } = await connectToOwner<TeamSetup>()
const { config, limits, isControlled, files, checkResults, relay, historyFolder } = setup
applyMemoryPlan(config.memory)
const log = createLog({ format: config.logFormat, level: config.logLevel, facts: { worker: number } })
reportRefusedThreads(log)
const metrics = createMetrics()
const cache = createResultCache(config.memoryMb * 1024 * 1024)
reportCache(metrics, cache)
const { channel, ready } = link({
  answers: {
    counts() {
      const { user, system } = process.cpuUsage()
      return { ...metrics.counts(), rssBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / MICROSECONDS }
    },
  },
  takes: {
    event(event) {
      take(event, cache, index)
      if (event.moment === null) return
      drops.begin([OWNER], event.moment)
      channel.notify('seen', event.moment)
    },
    settled: (moment) => drops.seen(OWNER, moment),
    refuse: ({ seatId, why }) => connections.refuse(seatId, why),
    barred: ({ subject, ms }) => http?.bar(subject, ms),
    sources: (sources) => own?.giveSources(sources),
    history: (news) => history?.take(news),
    historyPart: (news) => history?.takePart(news),
    drain: () => void stop(),
  },
  onError: (error, name) => log.error({ err: error, request: name }, 'owner got no answer'),
})
const tracing = openTracing(config, log, number)
tracing?.measure(metrics)
const traces = tracing?.traces
const database = config.database === 'pglite' ? null : openIndexToRead(config, channel, log)
const passed = new PassedReads((read, signal) => channel.ask('read', read, signal))
const index = new IndexOfWorker(database?.read ?? passed, (signal) => channel.ask('readable', null, signal))
const connections = new HandedConnections(countedByOwner(channel))
const meter = new UsageMeter()
const access = createRemoteAccess(config, {
  identify: (key, address) => channel.ask('identify', { key, address }),
  spend: (caller, cost) => channel.ask('spend', { caller, cost }),
  count: meter.count,
  countBytes: meter.countBytes,
})
// The casts: the owner writes them, of one version of this program.
const parsed = async <T>(text: Promise<string>): Promise<T> => JSON.parse(await text) as T
const examples = () => parsed<Examples>(channel.ask('examples', null))
const served: Registry = isControlled ? registry : chainRegistry
const facts = pageFactsOf(config, limits)
const docs = createDocs(served, facts, { examples, draw: drawInThread(served, facts) })
const sources = await channel.ask('sources', null)
if (sources !== null) {
  own = openChainOfWorker(sources, {
    canRewind: !isPublic(config.network),
    log,
    connect: traces === undefined ? connectLiteServer : tracedConnect(connectLiteServer, traces),
    onLiar: (server, reason) => channel.notify('liar', { server, reason }),
    onAway: () => cache.newBlock(),
  })
  measureLiteCalls(own, metrics)
}
history =
  historyFolder === null
    ? null
    : await openHistoryOfWorker(
        historyFolder,
        {
          after: (seqno) => channel.notify('history', seqno),
          lastTransactions: (question) => channel.ask('lastTransactions', question),
        },
        log,
      )
const methods = createWorkerHandlers({
  reading: own,
  history,
  store: traces === undefined ? index : tracedSql(index, traces),
  testOnly: config.network !== 'mainnet',
})
/** One request for each event of the owner, which brings its head of the index again: a revert is an event, too. */
const standing = new WeakMap<object, Promise<boolean>>()
const stands: Stands = (head) => {
  const known = standing.get(head) ?? channel.ask('stands', head)
  standing.set(head, known)
  known.catch(() => standing.delete(head))
  return known
}
let calledAt = Number.NEGATIVE_INFINITY
const untraced = createDispatch<Registry>({
  registry: served,
  handlers: methods.handlers,
  elsewhere: {
    placeOf: (name, params) => methods.placeOf(name, params),
    run: (name, params, { caller, requestId, modifiers, signal }) =>
      channel.ask(
        'call',
        { name, params, caller, requestId, modifiers, traceparent: traces?.current()?.traceparent },
        signal,
      ),
  },
  access,
  cache,
  log,
  metrics,
  usage: meter,
  timeoutMs: config.callMs,
  statementMs: config.statementMs,
  checkResults,
  settled: () => drops.settled(),
  seqnos: { index: indexHeads, stands: own === null ? stands : standsIn(own.chain), chain: () => chainSeqno },
  lanes: createCallLanes(metrics, { ...passedReadLanes(config), stretch: () => own?.stretch ?? 1 }),
  onCall() {
    const now = performance.now()
    if (now - calledAt < CALLED_EVERY_MS) return
    calledAt = now
    channel.notify('called', null)
  },
})
const dispatch = traces === undefined ? untraced : tracedDispatch(untraced, traces)
/** Seats of open connections, by the numbers that the owner knows. */
const seatIdOf = new WeakMap<Socket, number>()
const entrance: Entrance = {
  connections,
  open(attend) {
    ready((socket, handed) => {
      connections.seat(socket, handed)
      seatIdOf.set(socket, handed.seatId)
      attend(socket)
      socket.resume()
    })
    return Promise.resolve('')
  },
  close: () => undefined,
}
http = await createHttp({
  registry: served,
  dispatch,
  access,
  docs,
  log,
  entrance,
  traces,
  metrics: { ...metrics, text: () => channel.ask('metrics', null) },
  keys: (request) => channel.ask('keys', request),
  webhooks: (request, signal) => channel.ask('webhooks', request, signal),
  requestLog: config.requestLog === 'off' ? undefined : { write: (record) => channel.notify('requested', record) },
  readiness: () => parsed<Readiness>(channel.ask('readiness', null)),
  files: new Map(files.map(([path, text]) => [path, () => text])),
  options: httpOptionsOf(config, limits),
  relay: (socket) =>
    openRelay(relay, { worker: number, seatId: seatIdOf.get(socket) ?? 0, remote: socket.remoteAddress ?? '' }),
  onBarred: (subject, ms) => channel.notify('barred', { subject, ms }),
})

compileSoon()

async function passUsage(): Promise<void> {
  const counted = meter.takeCounts()
  if (counted.length > 0) await channel.ask('used', counted).catch(() => meter.add(counted))
}

setInterval(() => void passUsage(), USAGE_MS).unref()

async function stop(): Promise<void> {
  await http?.close()
  await passUsage()
  await database?.close()
  await own?.close()
  await history?.close()
  await tracing?.close()
  process.exit(0)
}
