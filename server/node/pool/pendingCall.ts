// One call of a server, until its answer, its time limit, or the end of its caller or its connection. What comes of it is noted for
// the health of the server.

import { manyListeners } from '../../process/index.ts'
import { LiteError } from '../liteErrors.ts'
import type { Clock } from '../systemClock.ts'
import { callLimit } from './callLimits.ts'
import type { OpenConnection } from './connectionLife.ts'
import type { Deadlines, Timed } from './deadlines.ts'
import type { CoolDown, ErrorScore, Latency } from './health.ts'
import { isFailure, nameCall, noteFailure } from './retrying.ts'
import type { ServerAddress } from './serverAddress.ts'
import type { VerbCall, VerbWork } from './verbs.ts'

/** Of a server with calls. */
export interface CalledServer {
  readonly address: ServerAddress
  readonly timer: Clock
  readonly score: ErrorScore
  readonly latency: Latency
  readonly cool: CoolDown
  readonly limits: Deadlines<Pending>
  calls: number
  /** Releases the slot of the call. */
  giveBack(): void
  /** The same for a call that was not made. */
  giveUnused(): void
}

/** Calls of one piece of work, which end together. */
export interface CallGroup {
  readonly signal: AbortSignal
  /** Without an answer. */
  open: readonly Pending[]
  /**
   * How far the masterchain block is behind the newest that the server refused as missing: a fault of the server if it exists, as
   * callers may have made it up.
   */
  lacking: number | null
}

export interface Pending extends Timed<Pending> {
  readonly call: VerbCall
  readonly begun: number
  /** Its answer has begun to come. */
  readonly isHeard: boolean
  /** The work it belongs to has ended. */
  cancel(): void
  /** A connection has ended. Whether it was its own. */
  cut(connection: OpenConnection): boolean
}

export interface CallParts {
  readonly server: CalledServer
  readonly connection: OpenConnection
  readonly call: VerbCall
  /** Null for a call that only its own signal ends. */
  readonly group: CallGroup | null
  /** Newest block of the server. */
  readonly headSeqno: number
}

const NONE: readonly Pending[] = []
const ONCE = { once: true }

const without = (open: readonly Pending[], call: Pending): readonly Pending[] =>
  open.length === 1 && open[0] === call ? NONE : open.filter((one) => one !== call)

export class PendingCall<T> implements Pending {
  due = 0
  isListed = false
  previous: Pending | null = null
  next: Pending | null = null
  isHeard = false
  readonly call: VerbCall
  readonly begun: number
  readonly #server: CalledServer
  readonly #connection: OpenConnection
  readonly #group: CallGroup | null
  readonly #ms: number
  readonly #isWaiting: boolean
  readonly #resolve: (value: T) => void
  readonly #reject: (error: unknown) => void
  #isMade = false
  #isOver = false
  /** When its answer was here. Large answers are read in turn with others: that time is ours. */
  #arrivedAt: number | null = null

  constructor(
    { server, connection, call, group, headSeqno }: CallParts,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    const { ms, isWaiting } = callLimit(call, headSeqno)
    this.call = call
    this.begun = server.timer.now()
    this.#server = server
    this.#connection = connection
    this.#group = group
    this.#ms = ms
    this.#isWaiting = isWaiting
    this.#resolve = resolve
    this.#reject = reject
  }

  start(work: VerbWork<T>): void {
    const { signal: caller, waitSeqno, share } = this.call.options
    const { server } = this.#connection
    const group = this.#group
    if (this.#isGivenUp || this.#connection.end.signal.aborted) {
      this.cancel()
      return
    }
    this.#isMade = true
    this.#server.calls++
    if (caller !== undefined) {
      // Signals of callers live longer than one call, and end many at once.
      manyListeners(caller)
      caller.addEventListener('abort', this, ONCE)
    }
    if (group !== null) group.open = group.open.length === 0 ? [this] : [...group.open, this]
    this.#server.limits.add(this, this.begun, this.#ms)
    const arrived = (): void => this.#arrived()
    const signal = group === null ? caller : group.signal
    try {
      work(server, { waitSeqno, timeoutMs: this.#ms, signal, share, arrived }).then(
        (value) => this.#answered(value),
        (error: unknown) => this.#fail(error),
      )
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Its caller has gone. */
  handleEvent(): void {
    this.cancel()
  }

  cancel(): void {
    this.#fail(new LiteError('cancelled', 'the query was cancelled'))
  }

  cut(connection: OpenConnection): boolean {
    const isOwn = connection === this.#connection
    if (isOwn) this.cancel()
    return isOwn
  }

  late(): void {
    if (this.#arrivedAt !== null) {
      const error = new LiteError('timeout', 'a large answer was not read in time: too many at once')
      this.#fail(error, true)
      return
    }
    const { name } = this.#server.address
    this.#fail(new LiteError('timeout', `${name} did not answer ${this.call.verb} within ${this.#ms} ms`))
  }

  get #isGivenUp(): boolean {
    return this.#group?.signal.aborted === true || this.call.options.signal?.aborted === true
  }

  /** What is left of it has as long again. It may be called twice. */
  #arrived(): void {
    this.isHeard = true
    const now = this.#server.timer.now()
    this.#arrivedAt ??= now
    if (!this.#isOver) this.#server.limits.renew(this, now, this.#ms)
  }

  #answered(value: T): void {
    if (this.#isOver) return
    this.#close()
    const { latency, score, cool } = this.#server
    if (!this.#isWaiting) latency.measured(this.call.kind, this.#taken)
    score.ease()
    cool.answered()
    this.#resolve(value)
  }

  /** `isOurs`: the server is not to blame. */
  #fail(error: unknown, isOurs = false): void {
    if (this.#isOver) return
    const { signal } = this.#connection.end
    const { address, latency } = this.#server
    const { kind } = this.call
    this.#close()
    nameCall(error, address.name, this.call)
    const wasGivenUp = this.#isGivenUp
    if (!wasGivenUp && !isOurs && !this.#isAwaited(error)) noteFailure(this.#server, error)
    // A refusal measures latency, too. What was given up would have taken longer still.
    const ms = this.#taken
    const isLonger = ms > (latency.of(kind) ?? 0)
    if (!this.#isWaiting && (isLonger || !isFailure(error))) latency.refused(kind, ms)
    this.#reject(
      wasGivenUp || !signal.aborted
        ? error
        : new LiteError('cancelled', `the connection to ${address.name} ended`, { cause: error }),
    )
  }

  /** A block that is yet to come may not come in time. A server that is silent for long loses its connection. */
  #isAwaited(error: unknown): boolean {
    return this.#isWaiting && error instanceof LiteError && error.kind === 'timeout'
  }

  /** Up to its answer, or until now. */
  get #taken(): number {
    return (this.#arrivedAt ?? this.#server.timer.now()) - this.begun
  }

  #close(): void {
    const group = this.#group
    this.#isOver = true
    this.#server.limits.remove(this)
    this.call.options.signal?.removeEventListener('abort', this)
    if (group !== null) group.open = without(group.open, this)
    if (this.#isMade) this.#server.giveBack()
    else this.#server.giveUnused()
  }
}
