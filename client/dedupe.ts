// Identical calls in flight are one call. The first caller gets the result itself, each further one a copy: callers
// may change their results.

import { createFlight, type Flight, type Seat, type Start } from './flight.ts'
import { isObject } from './protocol.ts'

function sorted(_key: string, value: unknown): unknown {
  if (isObject(value)) return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  // JSON would make it null, which counts as not given.
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(String(value))
  return value
}

/** JSON in which the order of keys does not matter. Throws TypeError for what JSON has no form for, as a bigint or NaN. */
export const stableJson = (value: object): string => JSON.stringify(value, sorted)

/** Results are read from JSON. The engine of React Native has no `structuredClone`. */
const copyOf = <T>(value: T): T =>
  typeof structuredClone === 'function' ? structuredClone(value) : JSON.parse(JSON.stringify(value))

export interface Dedupe<T> {
  /** Joins the flight of that key, or starts it; without a key, a flight of its own. */
  join(key: string | null, start: Start<T>, limitMs?: number): Seat<T>
  /** Later calls do not join those that are in flight now. */
  forget(): void
}

export function createDedupe<T>(): Dedupe<T> {
  const flights = new Map<string, Flight<T>>()
  return {
    join(key, start, limitMs) {
      const known = key === null ? undefined : flights.get(key)
      if (known) return known.join(limitMs)
      const onOver = () => {
        if (key !== null && flights.get(key) === flight) flights.delete(key)
      }
      const flight = createFlight({ start, onOver, copy: copyOf<T> })
      if (key !== null) flights.set(key, flight)
      return flight.join(limitMs)
    },
    forget: () => flights.clear(),
  }
}
