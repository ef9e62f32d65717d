// Stores proven blocks: key blocks at once, heads from time to time, one write at a time.

import { failureText, SameTrouble } from '../../process/index.ts'
import type { TrustRecord, TrustStore } from './trustFile.ts'

const SAVE_EVERY_MS = 10_000

export interface TrustSaverOptions {
  readonly store: TrustStore
  readonly onTrouble: (text: string) => void
  /** Milliseconds; only differences count. */
  readonly clock: () => number
}

export class TrustSaver {
  readonly #options: TrustSaverOptions
  #newest: TrustRecord | null = null
  #writes = Promise.resolve()
  #savedAt = Number.NEGATIVE_INFINITY
  readonly #trouble: SameTrouble

  constructor(options: TrustSaverOptions) {
    this.#options = options
    this.#trouble = new SameTrouble(options.clock)
  }

  keep(record: TrustRecord, { isKey }: { readonly isKey: boolean }): void {
    this.#newest = record
    if (isKey || this.#options.clock() >= this.#savedAt + SAVE_EVERY_MS) this.#write()
  }

  /** Resolves when the newest record is on disk, or the write has failed. */
  async flush(): Promise<void> {
    if (this.#newest !== null) this.#write()
    await this.#writes
  }

  #write(): void {
    const { store, onTrouble, clock } = this.#options
    this.#savedAt = clock()
    this.#writes = this.#writes.then(async () => {
      try {
        if (this.#newest !== null) await store.write(this.#newest)
        this.#trouble.end()
      } catch (error) {
        // The name of a draft, which some reasons have, is another one each time.
        const reason = failureText(error).replace(/\.\d+-[0-9a-f]{8}\.tmp/, '')
        if (this.#trouble.isNew(reason))
          onTrouble(`${store.name} cannot be written, so the next start proves the chain again: ${reason}`)
      }
    })
  }
}
