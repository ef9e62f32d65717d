// The end of a transaction, as both drivers see it.

import { StoreError } from './storeError.ts'

/** `work` went on after a statement failed: the database then rolls back at `commit`, without an error of its own. */
export const notCommitted = (): StoreError =>
  new StoreError('failed', 'The transaction was rolled back: a failure of one of its statements was ignored')

export const afterEnd = (): StoreError => new StoreError('failed', 'A statement after the end of its transaction')

/** The statements of a transaction, those included that its work does not wait for. */
export class PendingStatements {
  #pending = 0
  #failure: { readonly error: unknown } | null = null
  #settled: () => void = () => undefined

  add<T>(answer: Promise<T>): Promise<T> {
    this.#pending++
    answer.then(
      () => this.#settle(),
      (error: unknown) => {
        this.#failure ??= { error }
        this.#settle()
      },
    )
    return answer
  }

  /** To be called before `commit` is sent: of a statement with a value that cannot be sent the database knows nothing. */
  throwIfFailed(): void {
    if (this.#failure !== null) throw this.#failure.error
  }

  /** Resolves when all are settled: with the first failure, or null. Call it once, after the last statement. */
  async failure(): Promise<{ readonly error: unknown } | null> {
    if (this.#pending > 0) {
      await new Promise<void>((resolve) => {
        this.#settled = resolve
      })
    }
    return this.#failure
  }

  #settle(): void {
    if (--this.#pending === 0) this.#settled()
  }
}
