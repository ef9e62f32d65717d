// Values that are there at once in most cases: a promise for each would cost a walk more than the reading.

export type AtOnce<T> = T | Promise<T>

/** The next step: at once, unless the value has to be waited for. */
export function andThen<T, R>(value: AtOnce<T>, next: (value: T) => AtOnce<R>): AtOnce<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** All of them: at once, unless one has to be waited for. */
export function allOf<T>(values: readonly AtOnce<T>[]): AtOnce<T[]> {
  const known: T[] = []
  for (const value of values) {
    if (value instanceof Promise) return Promise.all(values)
    known.push(value)
  }
  return known
}
