// Stores how far webhooks have come, all of one moment in one statement: of a thousand that wait, most are due at once.

import { type Database, storeWebhookPlaces, type WebhookPlace } from '../store/index.ts'

interface Waiting {
  readonly place: WebhookPlace
  readonly resolve: (isStored: boolean) => void
  readonly reject: (error: unknown) => void
}

const MOST_AT_ONCE = 1_000

export class PlaceWriter {
  readonly #database: Pick<Database, 'transaction'>
  #waiting: Waiting[] = []

  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database
  }

  /** False when another process has claimed the webhook, or it is gone. Rejects with StoreError. */
  store(place: WebhookPlace): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ place, resolve, reject })
      if (this.#waiting.length === 1) setImmediate(() => void this.#write())
    })
  }

  async #write(): Promise<void> {
    const all = this.#waiting
    this.#waiting = []
    for (let next = 0; next < all.length; next += MOST_AT_ONCE) {
      const some = all.slice(next, next + MOST_AT_ONCE)
      try {
        const places = some.map(({ place }) => place)
        const stored = await this.#database.transaction((to) => storeWebhookPlaces(to, places))
        for (const { place, resolve } of some) resolve(stored.has(place.id))
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
  }
}
