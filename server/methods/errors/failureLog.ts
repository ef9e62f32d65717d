// What cannot be had for the moment, such as a chain or a database that is away, fails thousands of calls: the first one of
// a kind is logged at once, the others as a count.

import type { Log } from '../../observe/index.ts'

export interface FailedCall {
  readonly method: string
  readonly kind: string
  readonly ms: number
  readonly keyId: string | null
  readonly requestId: string
  /** What the database or the chain said. */
  readonly reason?: string
}

/** So long without a failure of the kind: the outage has ended. */
const QUIET_MS = 10_000
/** While it lasts, a line each so many quiet times. */
const ROUNDS_PER_REPORT = 6

interface Outage {
  /** Since the last line. */
  unreported: number
  calls: number
  hadFailure: boolean
  rounds: number
}

export class FailureLog {
  readonly #log: Pick<Log, 'warn'>
  readonly #outages = new Map<string, Outage>()

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log
  }

  failed(call: FailedCall): void {
    const outage = this.#outages.get(call.kind)
    if (outage === undefined) {
      this.#begin(call)
      return
    }
    outage.unreported++
    outage.calls++
    outage.hadFailure = true
  }

  #begin(call: FailedCall): void {
    this.#log.warn(call, 'call failed')
    const outage: Outage = { unreported: 0, calls: 1, hadFailure: false, rounds: 0 }
    this.#outages.set(call.kind, outage)
    const timer = setInterval(() => {
      if (this.#goesOn(call.kind, outage)) return
      clearInterval(timer)
      this.#outages.delete(call.kind)
    }, QUIET_MS)
    timer.unref()
  }

  /** Whether there were failures in this round. */
  #goesOn(kind: string, outage: Outage): boolean {
    const { unreported, calls, hadFailure } = outage
    outage.rounds++
    outage.hadFailure = false
    const isDue = !hadFailure || outage.rounds % ROUNDS_PER_REPORT === 0
    if (isDue && unreported > 0) {
      this.#log.warn({ kind, calls }, hadFailure ? 'calls failed, and still do' : 'calls failed, and no longer do')
      outage.unreported = 0
    }
    return hadFailure
  }
}
