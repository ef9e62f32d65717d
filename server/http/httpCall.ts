import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Budget, Caller } from '../access/index.ts'
import type { AnswerSeqnos, ChargedCall, Modifiers, Outcome } from '../methods/index.ts'
import type { Span } from '../observe/index.ts'
import type { WhyNoControl } from './controlAccess.ts'
import type { HttpExchange } from './exchange.ts'

/** Facts of a request, read on first use: most calls never need them. */
export interface Asking {
  readonly whyNoControl: WhyNoControl
  readonly modifiers: (req: IncomingMessage, query: string) => Modifiers
}

type RequestFacts = Pick<HttpExchange, 'req' | 'res' | 'query' | 'requestId' | 'noted' | 'span'>

/** A call that came by HTTP. Its signal costs a listener on the reply, so it is created on first use. */
export class HttpCall implements ChargedCall {
  readonly caller: Caller
  budget: Budget | null = null
  readonly seqnos: AnswerSeqnos = { index: null, chain: null }
  readonly #exchange: RequestFacts
  readonly #asking: Asking
  #modifiers: Modifiers | null = null
  #gone: AbortController | null = null

  constructor(caller: Caller, exchange: RequestFacts, asking: Asking) {
    this.caller = caller
    this.#exchange = exchange
    this.#asking = asking
  }

  get requestId(): string {
    return this.#exchange.requestId
  }

  get whyNoControl(): string | null {
    return this.#asking.whyNoControl(this.#exchange.req)
  }

  get modifiers(): Modifiers {
    const { req, query } = this.#exchange
    this.#modifiers ??= this.#asking.modifiers(req, query)
    return this.#modifiers
  }

  get span(): Span | null | undefined {
    return this.#exchange.span
  }

  note(method: string, over: Outcome): void {
    this.#exchange.noted?.add(method, over)
  }

  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal
    const gone = new AbortController()
    this.#gone = gone
    // All calls of a batch may listen to it.
    setMaxListeners(0, gone.signal)
    // `close` comes after a finished reply as well: only an unfinished one means the caller left.
    const { res } = this.#exchange
    res.once('close', () => {
      if (!res.writableFinished) gone.abort(new Error('the caller is gone'))
    })
    return gone.signal
  }
}
