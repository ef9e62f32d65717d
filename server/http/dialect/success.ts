// Replies of successful calls where they may be joined with others: in a batch, or as a frame.

import { answerWithin, type RunAnswer } from '../../methods/index.ts'
import { type Dialect, type ReplyEnvelope, ReplyInParts, type WrittenReply } from './dialect.ts'

export function successReply(dialect: Dialect, answer: RunAnswer, envelope: ReplyEnvelope): WrittenReply {
  const text = answerWithin(dialect.around(answer.isCached, envelope), answer)
  return typeof text === 'string' ? { status: 200, text } : new ReplyInParts(text)
}
