import type { BudgetState, Caller } from '../../access/index.ts'
import type { AnswerSeqnos, CallOutcome, ChargedCall, Modifiers } from '../../methods/index.ts'
import type { Span } from '../../observe/index.ts'

/** The call of a whole batch with the batch's own deadline: a socket's call is shared by all its frames. */
export class BatchCall implements ChargedCall {
  readonly deadline: number
  readonly caller: Caller
  budget: BudgetState | null
  readonly seqnos: AnswerSeqnos
  readonly #call: ChargedCall

  constructor(call: ChargedCall, deadline: number) {
    this.#call = call
    this.caller = call.caller
    this.budget = call.budget
    this.deadline = deadline
    this.seqnos = call.seqnos ?? { index: null, chain: null }
  }

  get requestId(): string {
    return this.#call.requestId
  }

  get span(): Span | null | undefined {
    return this.#call.span
  }

  note(method: string, over: CallOutcome): void {
    this.#call.note?.(method, over)
  }

  get signal(): AbortSignal {
    return this.#call.signal
  }

  get whyNoControl(): string | null {
    return this.#call.whyNoControl
  }

  get modifiers(): Modifiers {
    return this.#call.modifiers
  }
}

/** A call that names the block the index must have. */
export class DemandingCall extends BatchCall {
  readonly #modifiers: Modifiers

  constructor(call: ChargedCall, minSeqno: number) {
    super(call, call.deadline ?? Number.POSITIVE_INFINITY)
    this.#modifiers = { ...call.modifiers, minSeqno, minSeqnoName: 'min_seqno' }
  }

  override get modifiers(): Modifiers {
    return this.#modifiers
  }
}
