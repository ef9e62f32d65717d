// Stores the progress of many webhooks in one transaction; what arrives while it runs goes into the next one. With a transaction
// per webhook, a block with events for a thousand webhooks filled the queue of the database, and all other callers waited for
// seconds.

import {
  type Database,
  noteAttempts,
  StoreError,
  storeWebhookCursors,
  type WebhookAttempt,
  type WebhookCursor,
} from '../store/index.ts'

interface Waiting<T> {
  readonly one: T
  readonly resolve: (isStored: boolean) => void
  readonly reject: (error: unknown) => void
}

type Store<T> = (some: readonly T[]) => Promise<ReadonlySet<bigint>>

/** Maximum webhooks in one transaction: other callers wait for its end. */
const MOST_AT_ONCE = 250
/** Attempts of a webhook that are kept. */
const KEPT_ATTEMPTS = 1_000

const isOfValue = (error: unknown): boolean => error instanceof StoreError && error.code === 'failed'

class Gathered<T extends WebhookCursor> {
  readonly #store: Store<T>
  readonly #waiting: Waiting<T>[] = []
  #isStoring = false

  constructor(store: Store<T>) {
    this.#store = store
  }

  add(one: T): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ one, resolve, reject })
      if (this.#isStoring) return
      this.#isStoring = true
      setImmediate(() => void this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#storeSome(this.#waiting.splice(0, MOST_AT_ONCE))
    this.#isStoring = false
  }

  async #storeSome(some: readonly Waiting<T>[]): Promise<void> {
    try {
      const stored = await this.#store(some.map(({ one }) => one))
      for (const { one, resolve } of some) resolve(stored.has(one.id))
    } catch (error) {
      // An invalid value of one webhook must not fail the others of its transaction.
      if (some.length > 1 && isOfValue(error)) for (const each of some) await this.#storeSome([each])
      else for (const { reject } of some) reject(error)
    }
  }
}

export class DeliveryWrites {
  readonly #cursors: Gathered<WebhookCursor>
  readonly #attempts: Gathered<WebhookAttempt>

  constructor(database: Pick<Database, 'transaction'>) {
    this.#cursors = new Gathered((some) => database.transaction((to) => storeWebhookCursors(to, some)))
    this.#attempts = new Gathered((some) => database.transaction((to) => noteAttempts(to, some, KEPT_ATTEMPTS)))
  }

  /** False when another process has claimed the webhook, or it is gone. Rejects with StoreError. */
  store(cursor: WebhookCursor): Promise<boolean> {
    return this.#cursors.add(cursor)
  }

  /** The same for an attempt and its consequences. */
  note(attempt: WebhookAttempt): Promise<boolean> {
    return this.#attempts.add(attempt)
  }
}
