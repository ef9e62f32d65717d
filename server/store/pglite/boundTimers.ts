/** Node takes no longer time for a timer: a longer one fires at once, with a warning on standard error. */
const LONGEST_MS = 2 ** 31 - 1

/** For a thread whose code computes times by the wall clock: that is set back by any time. */
export function boundTimers(): void {
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply(set, self, [then, ms, ...given]) {
      return Reflect.apply(set, self, [then, ms > LONGEST_MS ? LONGEST_MS : ms, ...given])
    },
  })
}
