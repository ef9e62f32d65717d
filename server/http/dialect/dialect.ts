import type { ApiError } from '../../../shared/errors.ts'
import type { Answer } from '../../methods/index.ts'

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
  /** The same in parts, of a reply that may be long: to join them takes a copy of all. */
  readonly texts?: readonly string[]
  /** Whole seconds, of a failure that time mends. */
  readonly retryAfter?: number | undefined
  /** The call did not fail; it was never started. */
  readonly refused?: true
}

/** One way of speaking: what an answer and a failure look like. */
export interface Dialect {
  /** A success is the result itself. */
  readonly isBare?: true
  success(answer: Answer, envelope: ReplyEnvelope): string
  failure(error: ApiError, envelope: ReplyEnvelope): WrittenReply
}
