// Progress of proving the chain and the estimated rest. The rate of blocks changes, so the share is one of time on the
// chain, not of seqnos.

export interface SyncReport {
  /** The newest block proven so far, and when it was made; null while that is not known. */
  readonly seqno: number
  readonly utime: number | null
  /** The head that servers report. */
  readonly target: number
  /** Share since this process started, 0 to 1; null while unknown. */
  readonly share: number | null
  readonly remainingMs: number | null
}

const SECOND = 1000
const MINUTE = 60 * SECOND

const dayOf = (utime: number): string => new Date(utime * SECOND).toISOString().slice(0, 10)

const durationText = (ms: number): string =>
  ms < MINUTE ? `${Math.max(1, Math.round(ms / SECOND))} s` : `${Math.round(ms / MINUTE)} min`

/** `block 45000000 of 108000000, made on 2025-03-01, about 3 min left` */
export function syncText({ seqno, utime, target, remainingMs }: SyncReport): string {
  const made = utime === null ? '' : `, made on ${dayOf(utime)}`
  const left = remainingMs === null ? '' : `, about ${durationText(remainingMs)} left`
  return `block ${seqno} of ${target}${made}${left}`
}

export class SyncProgress {
  readonly #target: number
  readonly #targetUtime: number
  /** Milliseconds; only differences count. */
  readonly #clock: () => number
  #from: { readonly utime: number; readonly at: number } | null

  constructor(target: { readonly seqno: number; readonly utime: number }, from: number | null, clock: () => number) {
    this.#target = target.seqno
    this.#targetUtime = target.utime
    this.#clock = clock
    this.#from = from === null ? null : { utime: from, at: clock() }
  }

  report(seqno: number, utime: number | null): SyncReport {
    const unknown = { seqno, utime, target: this.#target, share: null, remainingMs: null }
    if (utime === null) return unknown
    this.#from ??= { utime, at: this.#clock() }
    const done = utime - this.#from.utime
    const way = this.#targetUtime - this.#from.utime
    if (done <= 0 || way <= 0) return unknown
    const share = Math.min(1, done / way)
    return { ...unknown, share, remainingMs: ((this.#clock() - this.#from.at) * (1 - share)) / share }
  }
}

/** Why a proof did not come in time. `sync` is null before its first answer. */
export const proofText = (sync: SyncReport | null): string =>
  sync === null
    ? 'the proof of the newest block did not come in time'
    : `the chain is still being proven: ${syncText(sync)}`
