// Successful calls in a dialect: the result with what is said around it. A long result stays in the parts it was made in, for
// each look at a whole of many megabytes takes a copy of it.

import { type Answer, LONG_TEXT, textOfAnswer } from '../../methods/index.ts'
import { isOfBytes } from '../bytes.ts'
import type { Dialect, ReplyEnvelope, WrittenReply } from './dialect.ts'

/** Texts that follow each other, or their bytes. */
export type Parts = readonly string[] | readonly Buffer[]

/** As one text where the result is short. */
export function successOf(dialect: Dialect, answer: Answer, envelope: ReplyEnvelope): string | Parts {
  const text = textOfAnswer(answer)
  const [head, tail] = dialect.around(answer.isCached, envelope)
  if (typeof text !== 'string') return tail === '' ? text : [Buffer.from(head), ...text, Buffer.from(tail)]
  if (text.length > LONG_TEXT) return [head, text, tail]
  return tail === '' ? text : head + text + tail
}

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

/** The same as the reply of a call. */
export function successReply(dialect: Dialect, answer: Answer, envelope: ReplyEnvelope): WrittenReply {
  const text = successOf(dialect, answer, envelope)
  return typeof text === 'string' ? { status: 200, text } : new LongSuccess(text)
}
