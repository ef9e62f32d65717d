// Long replies of one WebSocket, converted to bytes one at a time: the next one when most of the last has been read. Sixteen at
// once took 160 MB when nothing was read.

import type { Caller } from '../../access/index.ts'
import type { WrittenReply } from '../dialect/dialect.ts'
import { wholeBytes } from '../replies/bytes.ts'

export type ReplyTexts = NonNullable<WrittenReply['texts']>

export const lengthOf = (texts: ReplyTexts): number => {
  let sum = 0
  for (const { length } of texts) sum += length
  return sum
}

export interface LongRepliesParts {
  readonly send: (bytes: Buffer) => void
  readonly fail: (error: unknown) => void
  /** Whether too much is still unread. */
  readonly isClogged: () => boolean
}

export class LongReplies {
  readonly #parts: LongRepliesParts
  #waiting: { readonly texts: ReplyTexts; readonly caller: Caller }[] = []
  #isBusy = false
  #held = 0

  constructor(parts: LongRepliesParts) {
    this.#parts = parts
  }

  /** Characters that wait. */
  get held(): number {
    return this.#held
  }

  add(texts: ReplyTexts, caller: Caller): void {
    this.#waiting.push({ texts, caller })
    this.#held += lengthOf(texts)
    this.goOn()
  }

  /** To be called when the caller has read something. */
  goOn(): void {
    if (this.#isBusy || this.#parts.isClogged()) return
    const next = this.#waiting.shift()
    if (next === undefined) return
    this.#isBusy = true
    void this.#make(next.texts, next.caller)
  }

  /** Drops what waits when the connection ends. */
  clear(): void {
    this.#waiting = []
    this.#held = 0
  }

  async #make(texts: ReplyTexts, caller: Caller): Promise<void> {
    const { send, fail } = this.#parts
    try {
      const bytes = await wholeBytes(texts, caller)
      this.#held = Math.max(0, this.#held - lengthOf(texts))
      this.#isBusy = false
      send(bytes)
    } catch (error) {
      this.#isBusy = false
      fail(error)
    }
    this.goOn()
  }
}
