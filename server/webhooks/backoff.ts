// When an endpoint that failed is tried again.

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Failures up to a number, and the pause after each of them. */
const PAUSES: readonly (readonly [failures: number, ms: number])[] = [
  [1, SECOND],
  [2, 5 * SECOND],
  [3, 20 * SECOND],
  [13, MINUTE],
  [23, 5 * MINUTE],
  [33, 10 * MINUTE],
]
const LATER = 60 * MINUTE

/** Some seven days of hours. */
const MOST_FAILURES = 200

export const pauseAfter = (failures: number): number => PAUSES.find(([most]) => failures <= most)?.[1] ?? LATER

export interface AfterFailure {
  readonly status: 'offline' | 'suspended'
  readonly reason: string
  /** When it is tried again, milliseconds since 1970; 0 for never. */
  readonly at: bigint
}

export const afterFailure = (
  reason: string,
  { failures, pauseMs }: { readonly failures: number; readonly pauseMs: number },
): AfterFailure =>
  failures >= MOST_FAILURES
    ? { status: 'suspended', reason, at: 0n }
    : { status: 'offline', reason, at: BigInt(Date.now() + pauseMs) }
