// Stores the cursors of webhooks, those of one turn of the event loop in one statement: of a thousand that wait, most are due
// at once.

import { type Database, storeWebhookCursors, type WebhookCursor } from '../store/index.ts'

interface Waiting {
  readonly cursor: WebhookCursor
  readonly resolve: (isStored: boolean) => void
  readonly reject: (error: unknown) => void
}

const MOST_AT_ONCE = 1_000

export class CursorWriter {
  readonly #database: Pick<Database, 'transaction'>
  #waiting: Waiting[] = []

  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database
  }

  /** False when another process has claimed the webhook, or it is gone. Rejects with StoreError. */
  store(cursor: WebhookCursor): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ cursor, resolve, reject })
      if (this.#waiting.length === 1) setImmediate(() => void this.#write())
    })
  }

  async #write(): Promise<void> {
    const all = this.#waiting
    this.#waiting = []
    for (let next = 0; next < all.length; next += MOST_AT_ONCE) {
      const some = all.slice(next, next + MOST_AT_ONCE)
      try {
        const cursors = some.map(({ cursor }) => cursor)
        const stored = await this.#database.transaction((to) => storeWebhookCursors(to, cursors))
        for (const { cursor, resolve } of some) resolve(stored.has(cursor.id))
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
  }
}
