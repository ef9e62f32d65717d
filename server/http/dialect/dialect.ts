import { type ApiError, errorTexts } from '../../../shared/errors.ts'
import type { Parts } from '../../methods/index.ts'
import { isOfBytes } from '../replies/bytes.ts'

/** Fields of an envelope besides result or error. */
export interface ReplyEnvelope {
  /** Milliseconds the call took so far. */
  readonly ms: number
  /** Verb of a REST call; JSON-RPC counts as POST. */
  readonly verb: 'GET' | 'POST'
  /** JSON text of the request's id, null when it had none or the call was REST. */
  readonly id: string | null
  /** Block of the index that the answer is at least as new as, of a call that named one. */
  readonly indexSeqno?: number | null
}

export interface WrittenReply {
  readonly status: number
  readonly text: string
  /** The same in parts, or their bytes, of a reply that may be long: to join them takes a copy of all. */
  readonly texts?: readonly string[] | readonly Buffer[]
  /** Whole seconds, of a failure that time mends. */
  readonly retryAfter?: number | undefined
  /** The call did not fail; it was never started. */
  readonly refused?: true
}

/** A reply with status 200, whose parts are joined only where it cannot be sent as these. */
export class ReplyInParts implements WrittenReply {
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

/** One way of speaking: what an answer and a failure look like. */
export interface Dialect {
  /** What stands before and behind a result; two empty texts where the result is all there is. */
  around(isCached: boolean, envelope: ReplyEnvelope): readonly [head: string, tail: string]
  failure(error: ApiError, envelope: ReplyEnvelope): WrittenReply
}

/** The text of an error where a reply has no `data`: it includes what JSON-RPC replies have there. */
export function soleText({ kind, message, data }: ApiError, text = message): string {
  if (data.nearest !== undefined) return `${text}: did you mean ${data.nearest}?`
  if (kind === 'parse' && message === errorTexts.parse) return `${text}: what was sent is not JSON`
  return kind === 'internal' && data.requestId ? `${text} (request ${data.requestId})` : text
}
