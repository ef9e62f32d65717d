// The end of a transaction, as both drivers see it.

import { StoreError } from './errors.ts'

/** A statement of it failed and `work` went on as if it had not: the database rolls back at `commit`, without an error. */
export const notCommitted = (): StoreError =>
  new StoreError('failed', 'The transaction was rolled back: one of its statements failed and was passed over')

/** What is asked in a transaction, whether anybody waits for it or not. */
export class Asked {
  #waiting = 0
  #failure: { readonly error: unknown } | null = null
  #done: () => void = () => undefined

  note<T>(answer: Promise<T>): Promise<T> {
    this.#waiting++
    answer.then(
      () => this.#answered(),
      (error: unknown) => {
        this.#failure ??= { error }
        this.#answered()
      },
    )
    return answer
  }

  /** Resolves when all is answered: with what failed first, or null. Nothing is asked any more. */
  async failure(): Promise<{ readonly error: unknown } | null> {
    if (this.#waiting > 0) {
      await new Promise<void>((resolve) => {
        this.#done = resolve
      })
    }
    return this.#failure
  }

  #answered(): void {
    if (--this.#waiting === 0) this.#done()
  }
}

export const isOver = (): StoreError => new StoreError('failed', 'A statement after the end of its transaction')
