// Transactions of a trace as JSON: what several types of notifications, and several readers, receive is written once.

import { type LiveNode, type LiveTrace, toLiveTransaction } from '../methods/index.ts'

/** Of the trace that is reported: one at a time. */
export class SharedTexts {
  #trace: LiveTrace | null = null
  readonly #whole = new Map<LiveNode, string>()
  readonly #brief = new Map<LiveNode, string>()

  of(trace: LiveTrace, node: LiveNode, isBrief: boolean): string {
    if (trace !== this.#trace) {
      this.#trace = trace
      this.#whole.clear()
      this.#brief.clear()
    }
    const written = isBrief ? this.#brief : this.#whole
    const known = written.get(node) ?? JSON.stringify(toLiveTransaction(trace, node, isBrief))
    written.set(node, known)
    return known
  }
}
