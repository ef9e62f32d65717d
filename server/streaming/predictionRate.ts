// How often messages to one account are predicted: one that sends the same order again and again in many forms costs no more
// than a few emulations.

const MOST = 3
const WINDOW_MS = 10_000
/** Accounts that are known; those sent to first are forgotten first. */
const MOST_ACCOUNTS = 10_000

export class PredictionRate {
  readonly #times = new Map<string, readonly number[]>()

  /** Whether another message to an account may be predicted now; counts it if so. `now` is in milliseconds. */
  allows(account: string, now: number): boolean {
    const recent = (this.#times.get(account) ?? []).filter((at) => now - at < WINDOW_MS && at <= now)
    if (recent.length >= MOST) return false
    this.#times.delete(account)
    this.#times.set(account, [...recent, now])
    const [oldest] = this.#times.keys()
    if (this.#times.size > MOST_ACCOUNTS && oldest !== undefined) this.#times.delete(oldest)
    return true
  }

  /** A block has a message to the account: what comes after it is new. */
  clear(account: string): void {
    this.#times.delete(account)
  }
}
