// How long predictions hold, and how long blocks wait for them.

export interface HubLimits {
  /** A predicted trace is withdrawn when nothing more is known of it after this time, checked so often. */
  readonly predictedMs: number
  readonly sweepMs: number
  /** So long a block waits for predictions that were begun before it. */
  readonly predictionMs: number
  /** Milliseconds of a clock that never jumps, by which predictions hold; by default that of the process. */
  readonly now?: () => number
}
