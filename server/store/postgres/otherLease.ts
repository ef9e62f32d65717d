// The lease of another process as this one sees it. That its holder lives shows in its renewals, by a clock of our own: the clock of
// the database may be set, and a lease would end too early then, or hours after its holder.

/** When a leader is killed another one leads within five seconds. */
export const LEASE_MS = 4_000
/** Of that: a leader that cannot renew its lease stops at 0.8. */
const SILENT = 0.85

/** The row of a leader. With an `until` of 0 it was released. */
export interface LeaseRow {
  readonly holder: string
  readonly until: bigint
  readonly [column: string]: unknown
}

export class OtherLease {
  readonly #silentMs: number
  #row: LeaseRow | null = null
  /** When it was seen first as it is, on the clock of `performance.now()`. */
  #since = 0

  constructor(leaseMs: number) {
    this.#silentMs = leaseMs * SILENT
  }

  /** Call it with each look at the row. */
  see(row: LeaseRow | undefined): void {
    const isSame = row !== undefined && row.holder === this.#row?.holder && row.until === this.#row.until
    if (isSame) return
    this.#row = row === undefined || row.until === 0n ? null : row
    this.#since = performance.now()
  }

  /** Whether its holder may be alive. */
  get isHeld(): boolean {
    return this.#row !== null && this.silent === null
  }

  /** The lease of a holder that is gone; null when there is none. */
  get silent(): LeaseRow | null {
    return performance.now() - this.#since > this.#silentMs ? this.#row : null
  }
}
