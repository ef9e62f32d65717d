// How many streaming connections a caller has, by its plan. A connection that has missed a ping gives its seat to a new one.

import { ApiError } from '../../shared/errors.ts'
import { type Caller, streamLimitsOf } from '../access/index.ts'

export interface StreamSeat {
  /** Set by the transport when its peer did not answer. */
  isSilent: boolean
  /** Ends the connection at once. */
  readonly close: () => void
}

const silentOf = (all: ReadonlySet<StreamSeat>): StreamSeat | undefined => [...all].find(({ isSilent }) => isSilent)

export class StreamSeats {
  readonly #taken = new Map<string, Set<StreamSeat>>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Throws ApiError `rateLimited` when the caller has as many connections as its plan allows, and none is silent. */
  demandFree({ subject, tier }: Caller): void {
    const { connections } = streamLimitsOf(tier)
    const own = this.#taken.get(subject)
    const active = own?.size ?? 0
    if (active < connections || (own !== undefined && silentOf(own) !== undefined)) return
    throw new ApiError('rateLimited', `connection limit reached: ${active} active connections`, {
      limit: connections,
    })
  }

  /** Throws as `demandFree` does. */
  take(caller: Caller, close: () => void): StreamSeat {
    this.demandFree(caller)
    const { subject, tier } = caller
    const own = this.#taken.get(subject) ?? new Set()
    const silent = own.size < streamLimitsOf(tier).connections ? undefined : silentOf(own)
    if (silent !== undefined) {
      this.leave(subject, silent)
      silent.close()
    }
    const seat = { isSilent: false, close }
    this.#taken.set(subject, own)
    own.add(seat)
    this.#count++
    return seat
  }

  leave(subject: string, seat: StreamSeat): void {
    const own = this.#taken.get(subject)
    if (own?.delete(seat) !== true) return
    this.#count--
    if (own.size === 0) this.#taken.delete(subject)
  }
}
