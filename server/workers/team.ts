// The worker processes of an owner: starts them, hands them connections, restarts those that end, and stops them with it.

import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { ConnectionSeat, ConnectionSeats } from '../http/index.ts'
import type { HistoryNews } from '../node/index.ts'
import type { Log, MetricCounts, RequestRecord } from '../observe/index.ts'
import { waitAtMost } from '../process/index.ts'
import { CacheDrops } from './cacheDrops.ts'
import { forkWorker, PIPE, type WorkerProcess } from './forkWorker.ts'
import { HandedSockets } from './handedSockets.ts'
import { checkAll, leastBusy, type Member } from './member.ts'
import { type ChannelAnswers, createChannel, type WorkerChannel } from './workerChannel.ts'
import type {
  Barring,
  ChainEvent,
  ChainSources,
  OwnerAnswers,
  OwnerTakes,
  WorkerAnswers,
  WorkerCounts,
  WorkerHeads,
  WorkerTakes,
} from './workerProtocol.ts'

/** What the owner answers its workers; seats of connections are handled by the team. */
export type OwnerSide = Omit<ChannelAnswers<OwnerAnswers>, 'claim' | 'claimSocket'> & {
  called(): void
  barred(barring: Barring): void
  liar(server: string, reason: string): void
  requested(record: RequestRecord): void
  /** Calls `send` with the steps after a seqno, where workers read the history of the chain. */
  historyAfter(seqno: number, send: (news: HistoryNews) => void): void
}

export interface TeamOptions<S> extends WorkerProcess {
  readonly count: number
  /** The first message to each worker. */
  readonly setup: S
  readonly seats: ConnectionSeats
  readonly owner: OwnerSide
  /** The newest block of chain and index. */
  readonly heads: () => WorkerHeads
  readonly log: Pick<Log, 'error'>
  /** Sums the counts of several workers, without their gauges. */
  readonly callsOf: (ended: readonly MetricCounts[]) => MetricCounts
  /** Milliseconds between two checks whether a worker answers; 2,000. */
  readonly checkMs?: number
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
/** A worker that ran this long did not fail at its start. */
const SETTLED_MS = 60_000
/** The owner has other work: it takes one connection for every two of a worker. */
const OWN_WEIGHT = 2
const COUNTS_MS = 1_000
const CHECK_MS = 2_000
/** Until a killed process is gone. One that cannot be killed keeps nothing else from its end. */
const KILLED_MS = 5_000

interface TeamMember extends Member {
  readonly child: ChildProcess
  readonly channel: WorkerChannel<WorkerAnswers, WorkerTakes>
  readonly seats: Map<number, ConnectionSeat>
  /** Those of its connections that it has not confirmed. */
  readonly handed: HandedSockets
}

export class Team<S> {
  readonly #options: TeamOptions<S>
  readonly #members = new Map<number, TeamMember>()
  readonly #moments = new CacheDrops((moment) => {
    for (const { isReady, channel } of this.#members.values()) if (isReady) channel.notify('settled', moment)
  })
  readonly #timers = new Set<NodeJS.Timeout>()
  /** The counts of all ended workers in one sum, because any number of them may end. */
  #former: MetricCounts = { methods: [], gauges: [], totals: [] }
  readonly #checking: NodeJS.Timeout
  #nextSeatId = 1
  /** Connections that this process serves itself. */
  #ownConnections = 0
  #isClosing = false
  #restarts = 0

  constructor(options: TeamOptions<S>) {
    this.#options = options
    for (let number = 1; number <= options.count; number++) this.#start(number, 0)
    this.#checking = setInterval(() => checkAll(this.#members.values(), options.log), options.checkMs ?? CHECK_MS)
    this.#checking.unref()
  }

  get restarts(): number {
    return this.#restarts
  }

  get ready(): number {
    return [...this.#members.values()].filter(({ isReady }) => isReady).length
  }

  /** Passes a connection to the worker with the fewest. False when this process is to serve it. */
  handOver(socket: Socket, seat: ConnectionSeat): boolean {
    const member = this.#leastBusy()
    if (member === null) {
      this.#ownConnections++
      socket.once('close', () => this.#ownConnections--)
      return false
    }
    const seatId = this.#nextSeatId++
    member.seats.set(seatId, seat)
    seat.refuse = (why) => member.channel.notify('refuse', { seatId, why })
    const handed = { seatId, whyNone: this.#options.seats.claim(seat, null) }
    member.handed.send(member.child, socket, handed, () => this.#release(member, seatId))
    return true
  }

  /** The seat of a worker's connection. */
  seatOf(worker: number, seatId: number): ConnectionSeat | null {
    return this.#members.get(worker)?.seats.get(seatId) ?? null
  }

  /** Informs all workers of an event. When `settled` resolves, all have dropped what they cached before it. */
  publish(what: ChainEvent['what']): void {
    const ready = [...this.#members.values()].filter(({ isReady }) => isReady)
    const heads = this.#options.heads()
    const moment = this.#moments.moment + 1
    for (const { channel } of ready) channel.notify('event', { moment, what, heads })
    const numbers = ready.map(({ number }) => number)
    this.#moments.begin(numbers, moment)
  }

  /** Null when all workers have seen all events. */
  settled(): Promise<void> | null {
    return this.#moments.settled()
  }

  /** Informs all workers that the chain has other sources. */
  informOf(sources: ChainSources): void {
    for (const { isReady, channel } of this.#members.values()) if (isReady) channel.notify('sources', sources)
  }

  /** Informs all workers of a change of the chain's history. */
  notifyHistory(news: HistoryNews): void {
    for (const { isReady, channel } of this.#members.values()) if (isReady) channel.notify('history', news)
  }

  bar(barring: Barring, except?: TeamMember): void {
    for (const one of this.#members.values()) if (one.isReady && one !== except) one.channel.notify('barred', barring)
  }

  /** Memory and processor of each. */
  usage(): readonly (readonly [worker: number, counts: WorkerCounts])[] {
    return [...this.#members.values()].flatMap(({ number, counts }) =>
      counts === null ? [] : [[number, counts] as const],
    )
  }

  /** The counts of all workers; of one that does not answer in time, its last ones. */
  async counts(): Promise<readonly MetricCounts[]> {
    const members = [...this.#members.values()].filter(({ isReady }) => isReady)
    await Promise.all(members.map((member) => this.#count(member)))
    // One that has ended meanwhile is part of `#former`.
    const alive = members.filter((member) => this.#members.get(member.number) === member)
    return [...alive.flatMap(({ counts }) => counts ?? []), this.#former]
  }

  /** Lets running calls finish, up to `drainMs`; then ends the workers. One that is starting has none to finish. */
  async close(drainMs: number): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#checking)
    for (const timer of this.#timers) clearTimeout(timer)
    const ended = [...this.#members.values()].map(async ({ child, channel, isReady }) => {
      if (isReady) channel.notify('drain', null)
      else child.kill('SIGKILL')
      const limit = setTimeout(() => child.kill('SIGKILL'), drainMs)
      const exited = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.signalCode === null) await waitAtMost(exited, drainMs + KILLED_MS)
      clearTimeout(limit)
    })
    await Promise.all(ended)
  }

  async #count(member: TeamMember): Promise<void> {
    const limit = AbortSignal.timeout(COUNTS_MS)
    const late = new Promise<null>((resolve) => limit.addEventListener('abort', () => resolve(null), { once: true }))
    const counts = await Promise.race([member.channel.ask('counts', null, limit).catch(() => null), late])
    member.counts = counts ?? member.counts
  }

  #leastBusy(): TeamMember | null {
    const least = leastBusy(this.#members.values())
    // A single connection is served next to the chain: another process in between would only cost time.
    return least === null || this.#ownConnections === 0 || least.seats.size >= OWN_WEIGHT * (this.#ownConnections + 1)
      ? null
      : least
  }

  #start(number: number, failures: number): void {
    const onError = (err: unknown) => this.#options.log.error({ err, worker: number }, 'worker process failed')
    const child = forkWorker(this.#options, onError)
    if (child === null) {
      this.#startLater(number, failures + 1)
      return
    }
    const began = performance.now()
    const stream = child.stdio[PIPE]
    if (!(stream instanceof Duplex)) throw new Error('a worker process has no pipe')
    const member: TeamMember = {
      number,
      child,
      channel: this.#channel(stream, () => member),
      seats: new Map(),
      handed: new HandedSockets(),
      isReady: false,
      missed: 0,
      counts: null,
    }
    this.#members.set(number, member)
    child.once('message', () => {
      member.isReady = true
      member.missed = 0
      const heads = this.#options.heads()
      const moment = this.#moments.settled() === null ? null : this.#moments.moment
      member.channel.notify('event', { moment, what: heads.index === null ? 'block' : 'indexed', heads })
    })
    child.once('exit', (code, signal) => {
      const wasReady = member.isReady
      this.#ended(member)
      if (this.#isClosing) return
      const wasSettled = wasReady && performance.now() - began > SETTLED_MS
      this.#options.log.error({ worker: number, code, signal }, 'worker process ended: its connections are lost')
      this.#startLater(number, wasSettled ? 0 : failures + 1)
    })
    child.send({ number, setup: this.#options.setup })
  }

  #startLater(number: number, failures: number): void {
    this.#restarts++
    const pause = failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#start(number, failures)
    }, pause)
    this.#timers.add(timer)
  }

  #ended(member: TeamMember): void {
    member.isReady = false
    member.channel.close()
    this.#members.delete(member.number)
    this.#moments.leave(member.number)
    for (const seatId of member.seats.keys()) this.#release(member, seatId)
    if (member.counts !== null) this.#former = this.#options.callsOf([this.#former, member.counts])
  }

  #release(member: TeamMember, seatId: number): void {
    member.handed.close(seatId)
    const seat = member.seats.get(seatId)
    if (seat === undefined) return
    member.seats.delete(seatId)
    this.#options.seats.release(seat)
  }

  #channel(stream: Duplex, member: () => TeamMember): WorkerChannel<WorkerAnswers, WorkerTakes> {
    const { owner, seats, log } = this.#options
    const { called, barred, liar, requested, historyAfter, ...answers } = owner
    return createChannel<WorkerAnswers, WorkerTakes, OwnerAnswers, OwnerTakes>({
      stream,
      answers: {
        ...answers,
        claim({ seatId, caller }) {
          const seat = member().seats.get(seatId)
          return seat === undefined ? null : seats.claim(seat, caller)
        },
        claimSocket(seatId) {
          const seat = member().seats.get(seatId)
          return seat === undefined || seats.claimSocket(seat)
        },
      },
      takes: {
        taken: (seatId) => member().handed.close(seatId),
        idle: ({ seatId, isIdle }) => seats.noteIdle(member().seats.get(seatId), isIdle),
        released: (seatId) => this.#release(member(), seatId),
        called: () => called(),
        requested: (record) => requested(record),
        liar: ({ server, reason }) => liar(server, reason),
        barred: (barring) => {
          barred(barring)
          this.bar(barring, member())
        },
        seen: (moment) => this.#moments.seen(member().number, moment),
        history: (seqno) => historyAfter(seqno, (news) => member().channel.notify('historyPart', news)),
      },
      onError: (error, name) => log.error({ err: error, request: name }, 'worker process got no answer'),
    })
  }
}
