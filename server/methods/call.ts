// What a handler gets besides its params, and the type that makes a missing handler a compile error.

import type { MethodSpec, Params, Registry, Result, registry } from '../../shared/registry.ts'
import type { BudgetState, Caller } from '../access/index.ts'
import type { Span } from '../observe/index.ts'
import type { Modifiers } from './modifiers.ts'
import type { Written } from './written.ts'

/** One running invocation. */
export interface Call {
  readonly caller: Caller
  readonly requestId: string
  /** Aborts when the caller is gone, the call ran out of time, or the service stops. */
  readonly signal: AbortSignal
  /** Maximum milliseconds of each database query: a call can be passed as the bounds of one. */
  readonly timeoutMs: number
  readonly modifiers: Modifiers
  /** Deadline on the clock of `performance.now()`; absent without one. */
  readonly endsAt?: number
  /** Called with the end of each statement that is sent, which may outlast its caller. Absent where calls have no lanes. */
  readonly onBegun?: (ended: Promise<unknown>) => void
  /** Waits without holding the lane of the call, so that others can use it; absent where calls have no lanes. */
  readonly outsideLane?: <T>(wait: () => Promise<T>) => Promise<T>
  /** Releases the lane of the call, because another process does the rest. Absent as above. */
  readonly leaveLane?: () => void
}

/** How a call ended. */
export interface CallOutcome {
  /** `ok`, an error kind, or `abandoned`: the caller disconnected first. */
  readonly outcome: string
  readonly ms: number
  /** Of the text of the result; 0 without one. */
  readonly bytes: number
}

/** Of all answers of one request: the lowest seqno any of them was read at. */
export interface AnswerSeqnos {
  /** Newest block in the index, of answers of v3; null without one. */
  index: number | null
  /** Newest masterchain block, of answers read from the chain. */
  chain: number | null
}

/** The same for the transport. */
export interface ChargedCall extends Omit<Call, 'timeoutMs' | 'endsAt' | 'outsideLane' | 'leaveLane' | 'onBegun'> {
  /** What was left of the caller's budget after the last charge; null when nothing is limited. */
  budget: BudgetState | null
  /** Null for a caller who may use the control methods of the embedded chain, else why not. */
  readonly whyNoControl: string | null
  /** How far index and chain were; absent where a transport does not report it. */
  readonly seqnos?: AnswerSeqnos
  /** Deadline of its batch on the clock of `performance.now()`; absent without one. */
  readonly deadline?: number
  /** Span of its request; null when that is not traced, absent where a call is not part of one. */
  readonly span?: Span | null | undefined
  /** Notes a finished call; absent when nothing is noted. */
  note?(method: string, outcome: CallOutcome): void
}

export type Handler<S extends MethodSpec> = (params: Params<S>, call: Call) => Result<S> | Promise<Result<S>>

/** Total over a registry: a missing handler does not compile. */
export type Handlers<R extends Registry = typeof registry> = { readonly [K in keyof R]: Handler<R[K]> }

/** The same where a result may also be its finished text. */
export type WritingHandlers<R extends Registry = typeof registry> = {
  readonly [K in keyof R]: (
    params: Params<R[K]>,
    call: Call,
  ) => Result<R[K]> | Promise<Result<R[K]> | Written<Result<R[K]>>>
}
