// One piece of work that several callers wait for. Each may leave on its own; when the last one has left, the work is
// told to stop.

/** One caller's place. */
export interface Seat<T> {
  readonly promise: Promise<T>
  /** Rejects this caller's promise with the reason and leaves the others alone. */
  leave(reason: unknown): void
  /** The failure that the work met last and goes on after. */
  setback(): unknown
}

export interface Flight<T> {
  join(): Seat<T>
  /** Rejects everybody and tells the work to stop. */
  cancel(reason: unknown): void
}

/** The work itself; it may tell of a failure that it goes on after. */
export type Start<T> = (signal: AbortSignal, onSetback: (error: unknown) => void) => Promise<T>

export interface FlightOptions<T> {
  readonly start: Start<T>
  /** Called once, when nobody can join any more. */
  readonly onOver: () => void
  /** What each caller but the first is given, so that none sees what another does to its result. */
  readonly copy?: (value: T) => T
}

interface Waiter<T> {
  readonly resolve: (value: T) => void
  readonly reject: (reason: unknown) => void
}

/** Starts the work at once. */
export function createFlight<T>({ start, onOver, copy = (value) => value }: FlightOptions<T>): Flight<T> {
  const stop = new AbortController()
  const waiters = new Set<Waiter<T>>()
  let setback: unknown

  const land = (settle: (waiter: Waiter<T>, first: boolean) => void): void => {
    if (stop.signal.aborted) return
    onOver()
    let first = true
    for (const waiter of waiters) {
      try {
        settle(waiter, first)
      } catch (error) {
        waiter.reject(error)
      }
      first = false
    }
    waiters.clear()
  }

  const onSetback = (error: unknown) => {
    setback = error
  }
  start(stop.signal, onSetback).then(
    (value) => land(({ resolve }, first) => resolve(first ? value : copy(value))),
    (error: unknown) => land(({ reject }) => reject(error)),
  )

  return {
    cancel(reason) {
      land(({ reject }) => reject(reason))
      stop.abort(reason)
    },
    join() {
      let leave: (reason: unknown) => void = () => {}
      const promise = new Promise<T>((resolve, reject) => {
        const waiter = { resolve, reject }
        waiters.add(waiter)
        leave = (reason) => {
          if (!waiters.delete(waiter)) return
          reject(reason)
          if (waiters.size > 0) return
          stop.abort(reason)
          onOver()
        }
      })
      return { promise, leave, setback: () => setback }
    },
  }
}

/** The seat's promise, left when the signal aborts; the error is then the signal's reason. */
export function seatedUntil<T>(seat: Seat<T>, signal: AbortSignal): Promise<T> {
  const leave = () => seat.leave(signal.reason)
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  return seat.promise.finally(() => signal.removeEventListener('abort', leave))
}
