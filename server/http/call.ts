import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Budget, Caller } from '../access/index.ts'
import type { ChargedCall, Modifiers } from '../methods/index.ts'

/** What is read off a request when it is asked for: most calls never ask. */
export interface Asked {
  readonly mayControl: () => boolean
  readonly modifiers: () => Modifiers
}

/** A call that came by HTTP. Its signal costs a listener on the reply, so it is made when a handler asks for it. */
export class HttpCall implements ChargedCall {
  readonly caller: Caller
  readonly requestId: string
  budget: Budget | null = null
  readonly #res: ServerResponse
  readonly #asked: Asked
  #modifiers: Modifiers | null = null
  #gone: AbortController | null = null

  constructor(caller: Caller, requestId: string, res: ServerResponse, asked: Asked) {
    this.#asked = asked
    this.caller = caller
    this.requestId = requestId
    this.#res = res
  }

  get mayControl(): boolean {
    return this.#asked.mayControl()
  }

  get modifiers(): Modifiers {
    this.#modifiers ??= this.#asked.modifiers()
    return this.#modifiers
  }

  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal
    const gone = new AbortController()
    this.#gone = gone
    // All calls of a batch may listen to it.
    setMaxListeners(0, gone.signal)
    // `close` comes after a finished reply as well: only an unfinished one means the caller left.
    this.#res.once('close', () => {
      if (!this.#res.writableFinished) gone.abort(new Error('the caller is gone'))
    })
    return gone.signal
  }
}
