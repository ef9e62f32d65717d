// Whether the index may be read: unknown until its chain was checked, then granted or refused with the reason.

import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '../store/index.ts'
import { isRefusal } from './trouble.ts'

export class Permission {
  #refusal: string | null = null
  #isKnown = false
  /** Why it is not known, once looking has failed. */
  #failure: StoreError | null = null
  #settle: () => void = () => undefined
  readonly #known: Promise<void>
  #confirm: () => void = () => undefined
  /** Resolves when the database is known to be of this chain; not by its network alone, as reads may be allowed. */
  readonly confirmed = new Promise<void>((resolve) => {
    this.#confirm = resolve
  })
  readonly #openingMs: number

  /** Reads wait this long for a start; a machine that is not busy takes a second. */
  constructor(openingMs: number) {
    this.#openingMs = openingMs
    this.#known = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  get isRefused(): boolean {
    return this.#refusal !== null
  }

  /** `isSure`: the first block of the chain was compared. */
  grant({ isSure }: { readonly isSure: boolean }): void {
    this.#set(null)
    if (isSure) this.#confirm()
  }

  /** After a failure: refuses an index that must not be read, such as one whose tables are still empty. */
  deny(error: unknown): void {
    if (isRefusal(error)) this.#set(error.message)
    else if (error instanceof StoreError) this.#fail(error)
  }

  /** Resolves when reading is allowed. Throws StoreError. */
  async wait(signal?: AbortSignal): Promise<void> {
    if (!this.#isKnown && this.#failure === null) await this.#untilKnown(signal)
    if (!this.#isKnown && this.#failure !== null) throw unavailable(this.#failure)
    if (this.#refusal !== null) throw new StoreError('mismatch', this.#refusal)
  }

  /** Looking failed: callers need not wait for the next look. */
  #fail(failure: StoreError): void {
    this.#failure = failure
    this.#settle()
  }

  #set(refusal: string | null): void {
    this.#refusal = refusal
    this.#isKnown = true
    this.#failure = null
    this.#settle()
  }

  async #untilKnown(signal: AbortSignal | undefined): Promise<void> {
    const enough = new AbortController()
    const stop = (): void => enough.abort()
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
    const late = sleep(this.#openingMs, true, { signal: enough.signal, ref: false }).catch(() => false)
    try {
      await Promise.race([this.#known, late])
    } finally {
      signal?.removeEventListener('abort', stop)
      stop()
    }
    if (signal?.aborted === true) throw new StoreError('aborted', 'The caller has gone', { cause: signal.reason })
    if (!this.#isKnown && this.#failure === null) throw new StoreError('unavailable', 'the index is being opened')
  }
}

const unavailable = (cause: StoreError): StoreError =>
  new StoreError(cause.code, cause.message, { cause, sqlState: cause.sqlState })
