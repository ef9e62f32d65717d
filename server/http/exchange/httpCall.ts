import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { BudgetState, Caller } from '../../access/index.ts'
import {
  type AnswerSeqnos,
  type CallOutcome,
  type ChargedCall,
  type Modifiers,
  NO_MODIFIERS,
} from '../../methods/index.ts'
import type { Span } from '../../observe/index.ts'
import { LeanAbort } from '../../process/index.ts'
import type { WhyNoControl } from '../callers/controlAccess.ts'
import { namedQuery, toBoolean } from '../requests/callParams.ts'
import type { HttpExchange } from './exchange.ts'

const NAMES = ['x-no-address-book', 'x-no-metadata', 'x-timeout', 'x-actions-version', 'x-min-seqno'] as const

/** Those that are parameters of a query, too. */
export const QUERY_MODIFIERS: readonly string[] = NAMES.filter((name) => name !== 'x-actions-version').map((name) =>
  name.replaceAll('-', '_'),
)

/** Maximum length of a list of action types that is read. */
const VERSION_LENGTH = 64

const isTrue = (text: string | null): boolean => text !== null && toBoolean(text) === true

const toTimeout = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : null

/** NaN for a text that is no number: a demand that is not understood must not be passed over. */
const toSeqno = (text: string | null): number | null =>
  text === null ? null : /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN

/**
 * A caller's modifiers: headers, or query parameters of the same names with underscores. What cannot be read is as if it
 * were missing, except a seqno.
 */
export function modifiersOf({ headers }: Pick<IncomingMessage, 'headers'>, query: string): Modifiers {
  const inQuery = query.includes('x_')
  if (!inQuery && !NAMES.some((name) => name in headers)) return NO_MODIFIERS
  const params = inQuery ? namedQuery(query, (name) => name.startsWith('x_')) : null
  const textOf = (name: (typeof NAMES)[number]): string | null => {
    const header = headers[name]
    return typeof header === 'string' ? header : (params?.getAll(name.replaceAll('-', '_')).at(-1) ?? null)
  }
  // The one that has no query parameter.
  const version = headers['x-actions-version']
  return {
    noAddressBook: isTrue(textOf('x-no-address-book')),
    noMetadata: isTrue(textOf('x-no-metadata')),
    timeoutMs: toTimeout(textOf('x-timeout')),
    actionsVersion: typeof version === 'string' && version.length <= VERSION_LENGTH ? version : null,
    minSeqno: toSeqno(textOf('x-min-seqno')),
    minSeqnoName: 'x-min-seqno' in headers ? 'X-Min-Seqno' : 'x_min_seqno',
  }
}

type RequestFacts = Pick<HttpExchange, 'req' | 'res' | 'query' | 'requestId' | 'noted' | 'span'>

/** A call that came by HTTP. What most calls never need is read on first use; the signal costs a listener on the reply. */
export class HttpCall implements ChargedCall {
  readonly caller: Caller
  budget: BudgetState | null = null
  readonly seqnos: AnswerSeqnos = { index: null, chain: null }
  readonly #exchange: RequestFacts
  readonly #whyNoControl: WhyNoControl
  #modifiers: Modifiers | null = null
  #gone: LeanAbort | null = null

  constructor(caller: Caller, exchange: RequestFacts, whyNoControl: WhyNoControl) {
    this.caller = caller
    this.#exchange = exchange
    this.#whyNoControl = whyNoControl
  }

  get requestId(): string {
    return this.#exchange.requestId
  }

  get whyNoControl(): string | null {
    return this.#whyNoControl(this.#exchange.req)
  }

  get modifiers(): Modifiers {
    const { req, query } = this.#exchange
    this.#modifiers ??= modifiersOf(req, query)
    return this.#modifiers
  }

  get span(): Span | null | undefined {
    return this.#exchange.span
  }

  note(method: string, over: CallOutcome): void {
    this.#exchange.noted?.add(method, over)
  }

  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal
    const gone = new LeanAbort()
    this.#gone = gone
    // All calls of a batch may listen to it.
    setMaxListeners(0, gone.signal)
    // `close` comes after a finished reply as well: only an unfinished one means the caller left.
    const { res } = this.#exchange
    const onClose = (): void => {
      if (!res.writableFinished) gone.abort(new Error('the caller is gone'))
    }
    // It may have left while its key was looked up.
    if (res.closed) onClose()
    else res.once('close', onClose)
    return gone.signal
  }
}
