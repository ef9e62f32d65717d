// Replies of successful calls where they may be joined with others: in a batch, or as a frame.

import { answerWithin, type Parts, type RunAnswer } from '../../methods/index.ts'
import { isOfBytes } from '../replies/bytes.ts'
import type { Dialect, ReplyEnvelope, WrittenReply } from './dialect.ts'

class LongSuccess implements WrittenReply {
  readonly status = 200
  readonly texts: Parts
  #text: string | null = null

  constructor(texts: Parts) {
    this.texts = texts
  }

  get text(): string {
    // Bytes are cut anywhere, within characters as well.
    this.#text ??= isOfBytes(this.texts) ? Buffer.concat(this.texts).toString() : this.texts.join('')
    return this.#text
  }
}

export function successReply(dialect: Dialect, answer: RunAnswer, envelope: ReplyEnvelope): WrittenReply {
  const text = answerWithin(dialect.around(answer.isCached, envelope), answer)
  return typeof text === 'string' ? { status: 200, text } : new LongSuccess(text)
}
