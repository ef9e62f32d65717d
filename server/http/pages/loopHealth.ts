// Whether the event loop is alive: a loop that was late is not well.

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { HttpReply } from '../exchange/exchange.ts'
import { jsonReply } from './pageReplies.ts'

/** Of the last seconds only. */
const RENEW_MS = 10_000

export class LoopHealth {
  readonly #lateMs: number
  readonly #delay: IntervalHistogram
  readonly #renew: NodeJS.Timeout

  constructor(lateMs: number) {
    this.#lateMs = lateMs
    this.#delay = monitorEventLoopDelay({ resolution: 20 })
    this.#delay.enable()
    this.#renew = setInterval(() => this.#delay.reset(), RENEW_MS)
    this.#renew.unref()
  }

  reply(): HttpReply {
    const loopLateMs = Math.round(this.#delay.max / 1e6)
    return jsonReply(loopLateMs > this.#lateMs ? 503 : 200, { alive: true, loopLateMs })
  }

  /** The same in the form of the public v2 service. */
  plainReply(): HttpReply {
    const reply = this.reply()
    return reply.status === 200 ? jsonReply(200, 'OK') : reply
  }

  close(): void {
    clearInterval(this.#renew)
    this.#delay.disable()
  }
}
