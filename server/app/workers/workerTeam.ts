// The workers of a service: how many, what they get at their start, and what this process answers for them.

import { ApiError } from '../../../shared/errors.ts'
import type { Access, UsageMeter } from '../../access/index.ts'
import type { Examples } from '../../docs/index.ts'
import type { ConnectionSeats, HttpLimits, KeysService, PortEntrance } from '../../http/index.ts'
import { asReadError, type Dispatch, type Stands } from '../../methods/index.ts'
import { callsOf, type Log, type Metrics, type RequestLog, type Traces } from '../../observe/index.ts'
import { codeOf, failureText, memoryPlan, processEntry } from '../../process/index.ts'
import { StoreError } from '../../store/index.ts'
import type { WebhooksService } from '../../webhooks/index.ts'
import { answerRead, listenForRelays, type OwnerSide, type RelayPlace, relayPlace, Team } from '../../workers/index.ts'
import type { IndexService } from '../database/indexService.ts'
import type { ChainForWorkers, HistoryForWorkers } from '../network/chainForWorkers.ts'
import type { ServiceReadiness } from '../reports/readiness.ts'
import type { Config } from '../settings/settings.ts'
import { StartRefused } from '../startRefused.ts'

/** Above the time running calls have: the process itself has to end. */
const END_MS = 2_000

/** What a worker is given at its start. */
export interface TeamSetup {
  readonly config: Config
  readonly limits: HttpLimits
  /** Whether the chain is an embedded one, with methods to control it. */
  readonly isControlled: boolean
  /** Further documents, by path. */
  readonly files: readonly (readonly [path: string, text: string])[]
  readonly checkResults: boolean
  /** Where WebSockets and streams go. */
  readonly relay: RelayPlace
  /** The folder of the chain whose history workers read; null where they do not. */
  readonly historyFolder: string | null
}

export interface TeamParts extends Omit<TeamSetup, 'config' | 'relay' | 'historyFolder'> {
  /** Of one process. */
  readonly config: Config
  readonly count: number
  readonly seats: ConnectionSeats
  readonly access: Access
  readonly keys: KeysService
  readonly webhooks: WebhooksService | null
  readonly meter: UsageMeter
  readonly dispatch: Dispatch
  readonly index: IndexService | undefined
  readonly metrics: Metrics
  readonly log: Log
  readonly requestLog: RequestLog | undefined
  readonly traces: Traces | undefined
  readonly touch: () => void
  readonly chainSeqno: () => number | null
  /** Undefined for a chain that undoes no block. */
  readonly stands: Stands | undefined
  /** Null where only this process can read the chain. */
  readonly chain: ChainForWorkers | null
  /** Null where workers do not read the history. */
  readonly history: HistoryForWorkers | null
  readonly adopt: PortEntrance['adopt']
  readonly bar: (subject: string, ms: number) => void
  readonly readiness: () => Promise<ServiceReadiness>
  readonly examples: () => Promise<Examples>
  readonly metricsText: () => Promise<string>
}

export interface WorkerTeam extends Pick<Team<TeamSetup>, 'handOver' | 'publish' | 'settled' | 'bar' | 'counts'> {
  /** For readiness. */
  readonly words: string
  close(): Promise<void>
}

/** The requests of workers to this process. */
function answersForWorkers(parts: TeamParts, settled: () => Promise<void> | null): OwnerSide {
  const { access, dispatch, index, chain, history } = parts
  return {
    async call(passed, signal) {
      const call = {
        ...passed,
        signal,
        whyNoControl: null,
        budget: null,
        span: parts.traces?.joined(passed.traceparent) ?? null,
      }
      return (await dispatch.perform(passed.name, passed.params, call)).json
    },
    identify: ({ key, address }) => access.identify(key, address),
    spend: ({ caller, cost }) => access.spend(caller, cost),
    keys: (request) => parts.keys(request),
    webhooks(request, signal) {
      if (parts.webhooks === null) throw new ApiError('routeNotFound')
      return parts.webhooks(request, signal)
    },
    used(counted) {
      parts.meter.add(counted)
      return null
    },
    async read(passed, signal) {
      try {
        if (index === undefined) throw new StoreError('unavailable', 'there is no index')
        await index.readable(signal)
        return await answerRead(index.store, passed, signal)
      } catch (error) {
        throw asReadError(error)
      }
    },
    stands: (block) => parts.stands?.(block) ?? true,
    async readable(_, signal) {
      await index?.readable(signal)
      return null
    },
    async lastTransactions(question) {
      if (history === null) throw new ApiError('internal')
      const answer = history.lastTransactions(question)
      // What is newer than an answer that some process has cached is not shown yet.
      await settled()
      return answer
    },
    readiness: async () => JSON.stringify(await parts.readiness()),
    sources: () => chain?.sources() ?? null,
    examples: async () => JSON.stringify(await parts.examples()),
    metrics: parts.metricsText,
    called: parts.touch,
    barred: ({ subject, ms }) => parts.bar(subject, ms),
    liar: (server, reason) => chain?.drop(server, reason),
    requested: (record) => parts.requestLog?.write(record),
    historyAfter(seqno, send) {
      if (history !== null) send(history.feed.after(seqno))
    },
  }
}

function measureTeam(team: Team<TeamSetup>, metrics: Metrics): void {
  metrics.gauge('tonrpc_workers', 'Worker processes that answer callers next to this one.', () => team.ready)
  metrics.total(
    'tonrpc_worker_restarts_total',
    'Worker processes that were started again after they had ended.',
    () => team.restarts,
  )
  const each = (read: (counts: ReturnType<typeof team.usage>[number][1]) => number) => () =>
    team.usage().map(([worker, counts]) => [String(worker), read(counts)] as const)
  const memory = each(({ rssBytes }) => rssBytes)
  metrics.gauges('tonrpc_worker_resident_memory_bytes', 'Memory of a worker process.', 'worker', memory)
  const times = { help: 'Processor time of a worker process.', label: 'worker', isTotal: true }
  metrics.sums(
    'tonrpc_worker_cpu_seconds_total',
    times,
    each(({ cpuSeconds }) => cpuSeconds),
  )
}

/** Throws StartRefused. */
export async function startTeam(parts: TeamParts): Promise<WorkerTeam> {
  const { config, limits, count, index, chain, history, isControlled, files, checkResults } = parts
  const relay = relayPlace()
  // Before any worker is started: it would go on running when the start is refused.
  const stopRelays = await listenForRelays(relay, (socket, { worker, seatId }) => {
    const seat = team.seatOf(worker, seatId)
    if (seat === null) socket.destroy()
    else parts.adopt(socket, seat)
  }).catch((error: unknown) => {
    const why = `no socket can be made at ${relay.path} (${codeOf(error) ?? failureText(error)})`
    throw new StartRefused(`--workers: ${why}: name a folder for temporary files with TMPDIR`, { cause: error })
  })
  const team: Team<TeamSetup> = new Team({
    count,
    entry: processEntry(import.meta.url, 'apiWorker'),
    setup: { config, limits, isControlled, files, checkResults, relay, historyFolder: history?.folder ?? null },
    heapMb: memoryPlan().workerHeap,
    youngHeapMb: memoryPlan().workerYoungHeap,
    seats: parts.seats,
    log: parts.log,
    callsOf,
    heads: () => ({
      chain: parts.chainSeqno(),
      proven: chain?.head() ?? null,
      index: index?.view.indexed() ?? null,
    }),
    owner: answersForWorkers(parts, () => team.settled()),
  })
  const stopSources = chain?.onSources(() => team.informOf(chain.sources()))
  const stopHistory = history?.feed.onNews((news) => team.notifyHistory(news))
  measureTeam(team, parts.metrics)
  return {
    handOver: (socket, seat) => team.handOver(socket, seat),
    publish: (what) => team.publish(what),
    settled: () => team.settled(),
    bar: (barring) => team.bar(barring),
    counts: () => team.counts(),
    get words() {
      return `${team.ready} of ${count} ready`
    },
    async close() {
      await team.close(limits.drainMs + END_MS)
      stopRelays()
      stopSources?.()
      stopHistory?.()
    },
  }
}
