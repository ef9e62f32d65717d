// One server of the pool: its connection, which is reopened when it ends, its head, and its health.

import { type BlockIdExt, isSameBlock } from '../blockId.ts'
import type { MasterchainInfo } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteOptions } from '../liteServer.ts'
import type { Clock } from '../systemClock.ts'
import { firstCall, missingAge, OLD_BLOCKS, repeatedCall } from './blockCall.ts'
import { headRoundMs } from './callLimits.ts'
import { liveConnection, type OpenConnection } from './connectionLife.ts'
import { Deadlines } from './deadlines.ts'
import { CoolDown, ErrorScore, Latency, Past, TokenBucket } from './health.ts'
import { HeardInfo } from './heardInfo.ts'
import type { MemberOptions } from './memberOptions.ts'
import { type CalledServer, type CallGroup, type Pending, PendingCall } from './pendingCall.ts'
import { stayConnected } from './reconnecting.ts'
import type { ServerAddress } from './serverAddress.ts'
import { type Offence, Suspension } from './suspension.ts'
import type { VerbCall, VerbWork } from './verbs.ts'

/** Less than a failure: the server may lag a little. */
const MISSING_WEIGHT = 0.5

/** How one call ends. */
interface Outcome<T> {
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

export class PoolMember implements CalledServer {
  readonly address: ServerAddress
  readonly timer: Clock
  /** Of its calls without an answer. */
  readonly limits: Deadlines<Pending>
  readonly score: ErrorScore
  readonly latency: Latency
  readonly cool: CoolDown
  readonly tokens: TokenBucket
  readonly past: Past
  /** The newest block it reports; null before its first answer. */
  head: { readonly seqno: number; readonly utime: number; readonly at: number } | null = null
  inFlight = 0
  calls = 0
  /** Why it cannot be reached. */
  lost: string | null = null
  readonly #options: MemberOptions
  readonly #end = new AbortController()
  #connection: OpenConnection | null = null
  /** Whether it has reported its network and newest block over this connection. */
  #isIntroduced = false
  readonly #heardInfo: HeardInfo
  readonly #suspension: Suspension
  #living: Promise<void> | null = null
  /** Ends the connection that is open or being opened. */
  #stop = (): void => undefined
  /** The newest block it reported over any connection. */
  #newest: BlockIdExt | null = null

  constructor(address: ServerAddress, options: MemberOptions) {
    this.address = address
    this.#options = options
    this.timer = options.clock
    this.limits = new Deadlines(options.clock)
    this.score = new ErrorScore(options.clock)
    this.latency = new Latency(options.clock)
    this.cool = new CoolDown(options.clock)
    this.past = new Past(options.clock)
    this.#heardInfo = new HeardInfo(options.clock)
    this.tokens = new TokenBucket(options.clock, options.perSecond)
    this.#suspension = new Suspension(options.clock, options.isLiarRetried)
  }

  /** Why it is left out, whatever it answers; null when it is not. */
  get dropped(): string | null {
    return this.#suspension.reason
  }

  /** Whether it may yet be of use at once: it was neither lost nor found wrong twice. */
  get isHopeful(): boolean {
    return this.lost === null && (this.dropped === null || this.#suspension.isDoubted)
  }

  /** Whether it can be called now. */
  get isUsable(): boolean {
    const isOpen = this.#connection !== null && !this.#connection.end.signal.aborted
    return isOpen && this.#isIntroduced && this.dropped === null
  }

  /** Unix seconds by its own clock; null without a recent answer. */
  get clock(): number | null {
    return this.heard()?.now ?? null
  }

  /** Whether an old block is likely to be there still. */
  mayHold(seqno: number): boolean {
    return this.head === null || this.past.mayHold(this.head.seqno - seqno)
  }

  start(): void {
    this.#living ??= this.#live()
  }

  /** Milliseconds that it is left out from now; null when it was before, or was closed. */
  drop(reason: string, offence: Offence = 'lie'): number | null {
    // Else its end would wait for the end of the suspension.
    if (this.#end.signal.aborted) return null
    const ms = this.#suspension.begin(reason, offence)
    this.#stop()
    return ms
  }

  async close(): Promise<void> {
    this.#end.abort()
    this.#suspension.end()
    this.#stop()
    await this.#living
    this.limits.close()
  }

  /** Reserves a slot for the next call, which must be made or released by `giveBack`. */
  take(): void {
    this.tokens.take()
    this.inFlight++
  }

  giveBack(): void {
    this.inFlight--
  }

  /** Releases a slot without a call. */
  giveUnused(): void {
    this.giveBack()
    this.tokens.giveBack()
  }

  /** It does not have a block that exists. `age`: how far that is behind its head. */
  lacks(age: number): void {
    if (age > OLD_BLOCKS) this.past.misses(age)
    else this.score.lacks((this.head?.seqno ?? 0) - age, MISSING_WEIGHT)
  }

  /** Its last report, while that is recent enough. */
  heard(): MasterchainInfo | null {
    return this.#heardInfo.read()
  }

  /** A call of its group, for which `take` has reserved a slot. */
  run<T>(call: VerbCall, group: CallGroup, work: VerbWork<T>): Promise<T> {
    const head = this.head?.seqno ?? 0
    return new Promise((resolve, reject) => {
      const failed = (error: unknown): void => {
        const age = missingAge(call, head, error)
        // Look-ups are about other blocks than the one they start from.
        if (age !== null && !call.verb.startsWith('lookup')) group.lacking = age
        const again = repeatedCall(call, head, error)
        if (again === null) reject(error)
        else {
          this.take()
          this.#begin(again, group, work, { resolve, reject })
        }
      }
      this.#begin(firstCall(call, head), group, work, { resolve, reject: failed })
    })
  }

  /** `take` has reserved its slot. */
  send(message: Uint8Array, options: LiteOptions): Promise<void> {
    const call: VerbCall = { verb: 'send', kind: 'large', options }
    return new Promise((resolve, reject) => {
      this.#begin(call, null, (server, own) => server.send(message, own), { resolve, reject })
    })
  }

  #begin<T>(call: VerbCall, group: CallGroup | null, work: VerbWork<T>, { resolve, reject }: Outcome<T>): void {
    const connection = this.#connection
    if (connection === null) {
      this.giveUnused()
      reject(new LiteError('cancelled', `${this.address.name} is not connected`))
      return
    }
    const parts = { server: this, connection, call, group, headSeqno: this.head?.seqno ?? 0 }
    new PendingCall(parts, resolve, reject).start(work)
  }

  #live(): Promise<void> {
    return stayConnected({
      ...this.#options,
      suspension: this.#suspension,
      signal: this.#end.signal,
      connection: () => this.#liveOnce(),
      onLost: (reason, wasDropped) => {
        const isNews = this.lost === null && !wasDropped
        this.lost = reason
        if (isNews) this.#options.onLost(reason)
      },
    })
  }

  async #liveOnce(): Promise<{ readonly reason: string; readonly wasHeard: boolean }> {
    let wasHeard = false
    /** A server may end its connection at a call that it does not know. */
    const unanswered = new Set<string>()
    const stopped = new AbortController()
    this.#stop = () => {
      stopped.abort()
      this.#connection?.end.abort()
    }
    const end = await liveConnection({
      address: this.address,
      clock: this.#options.clock,
      connect: this.#options.connect,
      signal: stopped.signal,
      roundMs: headRoundMs(this.#options.perSecond),
      onQuery: () => this.tokens.take(),
      onOpen: (connection) => {
        this.#connection = connection
        connection.end.signal.addEventListener('abort', () => {
          for (const one of this.limits.all()) if (one.cut(connection)) unanswered.add(one.call.verb)
        })
      },
      onInfo: (info) => {
        wasHeard = true
        this.#heard(info)
      },
      onClose: () => {
        this.#connection = null
        this.#isIntroduced = false
        this.#heardInfo.forget()
        this.#options.onChange()
      },
    })
    if (!wasHeard) this.head = null
    const reason = unanswered.size === 0 ? end : `${end}, with ${[...unanswered].join(', ')} unanswered`
    return { reason, wasHeard }
  }

  #heard(info: MasterchainInfo): void {
    // What comes of a connection that was just ended takes nothing back.
    if (this.#connection === null || this.#connection.end.signal.aborted) return
    const refusal = this.#options.refuse(info)
    const { clock, onHead, onChange, onStranger, onBack } = this.#options
    if (refusal !== null) {
      if (this.drop(refusal, 'network') !== null) onStranger()
      return
    }
    const wasUsable = this.isUsable
    if (this.lost !== null || this.dropped !== null) onBack()
    this.#suspension.end()
    this.lost = null
    this.#isIntroduced = true
    this.#heardInfo.set(info)
    const { last, lastUtime: utime } = info
    const isKnown = this.#newest !== null && isSameBlock(this.#newest, last)
    const wentBack = this.#newest !== null && !isKnown && last.seqno <= this.#newest.seqno
    const isNew = this.head === null || !isKnown
    this.#newest = last
    if (isNew) this.head = { seqno: last.seqno, utime, at: clock.now() }
    if (!wasUsable) onChange()
    if (isNew) onHead(info, wentBack)
  }
}
